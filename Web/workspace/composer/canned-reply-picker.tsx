import { type KeyboardEvent, type ReactElement, type RefObject, useEffect, useMemo, useRef, useState } from "react";
import type { Colleague } from "../../client/agent/agent-api";
import {
  type Around, filledReply, fitting, mentioning, slashed,
} from "../../client/agent/canned-replies/canned-replies";
import type { Canned } from "../../client/agent/contact-centre";
import { clipURL } from "../../voice/play/formats";
import { useCentre, useMyName, useWorkspace } from "../app/session-context";
import { durationText, timeText } from "../ui/format";
import { Icon } from "../ui/icons";
import { useAnnounce } from "../app/page-context";
import { texts } from "../i18n/texts";

/** The most suggestions shown at once. */
const MOST = 8;

interface Choice {
  readonly id: string;
  readonly title: string;
  readonly detail: string;
  readonly hint: string;
  readonly clip?: Canned["clip"];
  readonly insert: string;
}

export interface PickerState {
  readonly open: boolean;
  readonly choices: readonly Choice[];
  readonly at: number;
  readonly pick: (index: number) => void;
  /** Handles a key; true if the list used it. */
  readonly key: (event: KeyboardEvent) => boolean;
}

interface PickerOptions {
  readonly box: RefObject<HTMLTextAreaElement>;
  readonly draft: string;
  readonly caret: number;
  readonly note: boolean;
  readonly who: string;
  readonly skill: string | undefined;
  readonly language: string | undefined;
  readonly write: (text: string) => void;
  /** Attaches the clip of a canned reply; absent where voice messages are not allowed. */
  readonly attach: ((clip: NonNullable<Canned["clip"]>, from: number, to: number) => void) | undefined;
}

/** What is suggested while someone types: canned replies after `/` in a reply, colleagues after `@` in a note. */
export function usePicker(options: PickerOptions): PickerState {
  const { draft, caret, note } = options;
  const begun = note ? mentioning(draft, caret) : slashed(draft, caret);
  const choices = useChoices(options, begun?.typed);
  const [at, setAt] = useState(0);
  const [closed, setClosed] = useState<string | undefined>();
  const preview = useClipPreview();
  const open = choices.length > 0 && begun !== undefined && closed !== draft;
  useEffect(() => setAt(0), [begun?.typed]);
  useChoiceAnnouncement(open ? choices[at] : undefined);

  const pick = (index: number): void => {
    const chosen = choices[index];
    if (chosen !== undefined && begun !== undefined) insert(chosen, begun.from, options);
  };
  const key = (event: KeyboardEvent): boolean => {
    if (!open || event.nativeEvent.isComposing) return false;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const clip = choices[at]?.clip;
    if (step !== undefined) setAt((at + step + choices.length) % choices.length);
    else if ((event.key === "Enter" && !event.shiftKey) || event.key === "Tab") pick(at);
    else if (event.key === "Escape") setClosed(draft);
    else if (event.key === "ArrowRight" && clip !== undefined && caret === draft.length) preview(clip);
    else return false;
    event.preventDefault();
    event.stopPropagation();
    event.nativeEvent.stopImmediatePropagation();
    return true;
  };
  return { open, choices, at: Math.min(at, Math.max(0, choices.length - 1)), pick, key };
}

function useChoices({ note, who, skill, language }: PickerOptions, typed: string | undefined): readonly Choice[] {
  const context = useReplyContext(who, skill, language);
  const { centre, agents } = useCentre();
  return useMemo(() => {
    if (typed === undefined) return [];
    return (note ? people(agents, typed) : replies(centre?.canned ?? [], typed, context)).slice(0, MOST);
  }, [typed, note, agents, centre, context]);
}

function useChoiceAnnouncement(chosen: Choice | undefined): void {
  const announce = useAnnounce();
  useEffect(() => {
    if (chosen !== undefined) announce(`${chosen.title}. ${chosen.detail}`);
  }, [chosen, announce]);
}

/** Puts a choice in place of what was typed, and the caret after it; at a placeholder without a value, selects that. */
function insert(chosen: Choice, from: number, { box, draft, caret, write, attach }: PickerOptions): void {
  write(draft.slice(0, from) + chosen.insert + draft.slice(caret));
  const end = from + chosen.insert.length;
  if (chosen.clip !== undefined) attach?.(chosen.clip, from, end);
  const open = /\{[A-Za-z]+\}/u.exec(chosen.insert);
  requestAnimationFrame(() => {
    box.current?.focus();
    if (open === null) box.current?.setSelectionRange(end, end);
    else box.current?.setSelectionRange(from + open.index, from + open.index + (open[0] ?? "").length);
  });
}

function useReplyContext(who: string, skill: string | undefined, language: string | undefined): Around {
  const { identity } = useWorkspace();
  const { centre } = useCentre();
  const agent = useMyName();
  return useMemo(() => ({
    agent,
    consumer: who,
    brand: identity.account.name,
    skill,
    language,
    time: timeText(Date.now()),
    skillName: centre?.skills.find(({ id }) => id === skill)?.name,
  }), [identity, agent, who, skill, language, centre]);
}

function replies(all: readonly Canned[], typed: string, around: Around): Choice[] {
  return fitting(all, typed, around).map((one) => {
    const { text } = filledReply(one.text, around);
    return {
      id: one.id,
      title: one.title || one.shortcut,
      detail: text,
      hint: `/${one.shortcut}`,
      insert: text,
      ...(one.clip ? { clip: one.clip } : {}),
    };
  });
}

function people(all: readonly Colleague[], typed: string): Choice[] {
  const wanted = typed.toLowerCase();
  const fits = (name: string): boolean => name.toLowerCase().split(/\s+/u).some((word) => word.startsWith(wanted));
  return all.filter(({ name, off }) => off !== true && fits(name)).map(({ id, name, role }) => ({
    id,
    title: name,
    detail: role,
    hint: "",
    insert: `@${name} `,
  }));
}

/** The list of suggestions above the text field. The focus stays in the field. */
export function Picker({ picking, id }: { picking: PickerState; id: string }): ReactElement | null {
  if (!picking.open) return null;
  return (
    <ul className="picker" role="listbox" id={id} aria-label={texts.picker.label}>
      {picking.choices.map((choice, index) => (
        <li
          key={choice.id}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === picking.at}
          className="pick"
          onPointerDown={(event) => {
            event.preventDefault();
            picking.pick(index);
          }}
        >
          <strong dir="auto">{choice.title}</strong>
          <span className="pick-hint">{choice.hint}</span>
          <span className="pick-detail" dir="auto">{choice.detail}</span>
          {choice.clip !== undefined && (
            <span className="pick-clip" title={texts.picker.clip}>
              <Icon name="mic" />
              {durationText(choice.clip.ms)} · {texts.picker.hear}
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

/** A function that plays the clip of a canned reply, or stops it. */
function useClipPreview(): (clip: NonNullable<Canned["clip"]>) => void {
  const playing = useRef<HTMLAudioElement>();
  return ({ media }) => {
    const before = playing.current;
    before?.pause();
    playing.current = undefined;
    const url = clipURL(media);
    if (before?.src.endsWith(url)) return;
    playing.current = new Audio(url);
    void playing.current.play().catch(() => {});
  };
}
