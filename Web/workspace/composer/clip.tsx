import { type ReactElement, useEffect, useRef, useState } from "react";
import {
  attached, type AttachedClip, attachedClip, type Clip, clipAfterEdit, clipDraft, copyClip, type Selected,
} from "../../client/agent/canned-replies/clips";
import { proof } from "../../client/agent/sign-in";
import { HTTPProblem } from "../../client/core/api";
import { clipURL } from "../../voice/play/formats";
import { request } from "../app/agent-session";
import { useSessionState, useWorkspace } from "../app/session-context";
import { durationText } from "../ui/format";
import { Icon } from "../ui/icons";
import { useAnnounce } from "../app/page-context";
import { texts } from "../i18n/texts";

const text = texts.clip;

export interface ClipAttachment {
  readonly clip: AttachedClip | undefined;
  /** The clip is being sent: nothing else is sent before it. */
  readonly busy: boolean;
  readonly problem: string | undefined;
  /** Attaches a clip with the text that was inserted between `from` and `to`. */
  readonly attach: (clip: Clip, from: number, to: number) => void;
  readonly drop: () => void;
  /** The text of the reply was edited: the clip goes with the last of its own text. */
  readonly edited: (before: string, after: string, selected: Selected) => void;
  /** Attaches the clip again that was removed; `undefined`: none was. */
  readonly restore: (() => void) | undefined;
  /** Sends the clip. False after a failure: the clip and the draft stay. */
  readonly send: () => Promise<boolean>;
}

/** The clip that is kept with the draft. Where its text was removed elsewhere, it is gone with it. */
function useKeptClip(c: string): AttachedClip | undefined {
  const { drafts } = useSessionState();
  const kept = attachedClip(drafts.get(clipDraft(c)));
  return (kept?.to ?? 0) > (drafts.get(c) ?? "").length ? undefined : kept;
}

/** The clip that goes out with a reply: first the voice, then the texts that were written to it. */
export function useClipAttachment(c: string): ClipAttachment {
  const { session, csrf } = useWorkspace();
  const clip = useKeptClip(c);
  const [removed, setRemoved] = useState<AttachedClip | undefined>();
  const [busy, setBusy] = useState(false);
  const announce = useAnnounce();
  const [problem, setProblem] = useState<string | undefined>();
  const keep = (kept: string, gone?: AttachedClip): void => {
    setProblem(undefined);
    setRemoved(gone);
    session.draft(clipDraft(c), kept, false);
  };
  const send = async (): Promise<boolean> => {
    setRemoved(undefined);
    if (clip === undefined) return true;
    setBusy(true);
    try {
      session.speak(c, await copyClip(request, proof(csrf()), clip, c), clip.draft);
      keep("");
      return true;
    } catch (error) {
      setProblem(failureText(error));
      return false;
    } finally {
      setBusy(false);
    }
  };
  const attach = (one: Clip, from: number, to: number): void => {
    keep(attached(to > from ? { ...one, from, to } : one));
    announce(text.attached({ length: durationText(one.ms) }));
  };
  const drop = (): void => (keep("", clip), announce(text.removed));
  const edited = (before: string, after: string, selected: Selected): void => {
    if (clip === undefined) return;
    const left = clipAfterEdit(clip, before, after, selected);
    if (left === undefined) drop();
    else if (left !== clip) session.draft(clipDraft(c), attached(left, left.draft), false);
  };
  return { clip, busy, problem, attach, drop, edited, restore: removed && (() => keep(unbound(removed))), send };
}

/** The clip as it is kept without a text. */
const unbound = ({ media, ms }: Clip): string => attached({ media, ms });

const failureText = (error: unknown): string =>
  text.failed[error instanceof HTTPProblem ? error.code : ""] ?? text.notSent;

/** The attached clip, with buttons to play and remove it. */
export function ClipChip({ clipping }: { clipping: ClipAttachment }): ReactElement | null {
  const { clip, busy, problem, drop, restore } = clipping;
  const [plays, toggle] = useClipPlayback(clip);
  if (clip === undefined) {
    return restore === undefined ? null : (
      <p className="clip-gone">
        {text.removed} · <button type="button" className="link" onClick={restore}>{texts.undo}</button>
      </p>
    );
  }
  return (
    <div className="clip-chip" data-busy={busy || undefined}>
      <button
        type="button"
        className="icon-button"
        aria-label={plays ? text.pause : text.play}
        aria-pressed={plays}
        onClick={toggle}
      >
        <Icon name={plays ? "pause" : "play"} />
      </button>
      <span>
        <strong>{text.label}</strong> {durationText(clip.ms)}
      </span>
      {problem === undefined
        ? <span className="clip-hint not-phone">{busy ? text.sending : text.hint}</span>
        : <span className="clip-problem" role="alert">{problem}</span>}
      <button
        type="button"
        className="icon-button"
        aria-label={text.drop}
        title={text.drop}
        disabled={busy}
        onClick={drop}
      >
        <Icon name="close" />
      </button>
    </div>
  );
}

/** Plays a clip before it is sent. */
export function useClipPlayback(clip: Clip | undefined): [plays: boolean, toggle: () => void] {
  const sound = useRef<HTMLAudioElement>();
  const [plays, setPlays] = useState(false);
  const media = clip?.media;
  useEffect(() => () => {
    sound.current?.pause();
    sound.current = undefined;
    setPlays(false);
  }, [media]);
  const toggle = (): void => {
    if (media === undefined) return;
    sound.current ??= new Audio(clipURL(media));
    const element = sound.current;
    for (const kind of ["play", "pause", "ended"] as const) element[`on${kind}`] = () => setPlays(kind === "play");
    if (element.paused) void element.play().catch(() => setPlays(false));
    else element.pause();
  };
  return [plays, toggle];
}
