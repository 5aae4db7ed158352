import { type ReactElement, useLayoutEffect, useRef, useState, useSyncExternalStore } from "react";
import type { Recorder } from "../../voice/record/recorder-manager";
import { type RecorderActions, useRecorders, useRecorderState, useRecordingBlocker } from "./recorders";
import { useSessionState, useWorkspace } from "../app/session-context";
import { useLatest } from "../ui/hooks";
import { Icon } from "../ui/icons";
import { useAnnounce } from "../app/page-context";
import { go, useRoute } from "../app/route";
import { texts } from "../i18n/texts";

const text = texts.recording;

/** The recorder of a conversation, in its composer. Its recording continues while other conversations are shown. */
export function RecorderSlot({ c, note, where = "" }: { c: string; note: boolean; where?: string }): ReactElement {
  const { session } = useWorkspace();
  const announce = useAnnounce();
  const here = useRecorders();
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (here === undefined) return;
    const panel = here.panel({
      recorder: (note ? here.notes : here.replies).recorder(c),
      skin: "workspace",
      announce,
      limitMs: () => session.store.get().settings.audio.ms,
      covers: (_, focus) => void (focus && document.getElementById(micId(c, where))?.focus()),
    }, note);
    place.current?.append(panel.element);
    return () => {
      panel.release();
      panel.element.remove();
    };
  }, [here, note, session, c, where, announce]);
  if (!note) return <div ref={place} />;
  return (
    <div ref={place} className="rec-note-place">
      <p className="rec-private">
        <Icon name="lock" />
        <span>
          <strong>{texts.note.label}</strong> {texts.note.played}
        </span>
      </p>
    </div>
  );
}

interface MicProps {
  c: string;
  status: string;
  ready: boolean;
  note: boolean;
  where?: string;
}

/** Opens and closes the recorder, or explains why recording is not possible. */
export function MicButton(props: MicProps): ReactElement {
  const here = useRecorders();
  const why = useRecordingBlocker(props.c, props.status, props.ready, props.note);
  if (here !== undefined) {
    return <Mic {...props} recorder={(props.note ? here.notes : here.replies).recorder(props.c)} why={why} />;
  }
  return (
    <button
      type="button"
      className="icon-button mic"
      aria-label={`${text.open}. ${why ?? ""}`}
      aria-disabled
      title={why}
    >
      <Icon name="mic" />
    </button>
  );
}

function Mic(
  { c, note, where = "", recorder, why }: MicProps & { recorder: Recorder; why: string | undefined },
): ReactElement {
  const { recording } = useSyncExternalStore(recorder.store.subscribe, recorder.store.get);
  const { recorderShortcuts } = useWorkspace().ui;
  const announce = useAnnounce();
  const [told, setTold] = useState(false);
  const { phase } = recording;
  const label = note ? texts.note.record : text.open;
  const open = phase !== "idle" && phase !== "deleted";
  const tell = (): void => {
    setTold(true);
    announce(why ?? "");
  };
  const toggle = (): void => {
    if (open && ["armed", "asking", "refused"].includes(phase)) recorder.close();
    else if (open) document.querySelector<HTMLElement>(".rec [data-first]")?.focus();
    else if (why !== undefined) tell();
    else recorder.arm();
  };
  const latest = useLatest<RecorderActions>({
    next: () => {
      if (phase === "recording") recorder.pause();
      else if (phase === "paused") recorder.resume();
      else if (phase === "armed" || phase === "refused") void recorder.start();
      else toggle();
    },
    stop: () => void recorder.stop(),
  });
  useLayoutEffect(
    () => recorderShortcuts.show({ next: () => latest.current.next(), stop: () => latest.current.stop() }),
    [recorderShortcuts, latest],
  );
  return (
    <>
      <button
        type="button"
        id={micId(c, where)}
        className="icon-button mic"
        aria-label={why === undefined ? label : `${label}. ${why}`}
        aria-expanded={open}
        aria-disabled={why !== undefined && !open ? true : undefined}
        title={why ?? `${label} (v)`}
        onClick={toggle}
        onBlur={() => setTold(false)}
      >
        <Icon name="mic" />
      </button>
      {told && why !== undefined && <span className="mic-why">{why}</span>}
    </>
  );
}

const micId = (c: string, where: string): string => `mic-${c}${where}`;

/** Tells that another conversation is being recorded or has an unsent recording. */
export function RecordingElsewhere({ c }: { c: string | undefined }): ReactElement | null {
  const { listening, busy } = useRecorderState();
  const { inbox } = useSessionState();
  const route = useRoute();
  const other = listening !== undefined && listening !== c ? listening : busy.find((one) => one !== c);
  if (other === undefined) return null;
  const who = inbox.rows.get(other)?.who ?? text.somebody;
  return (
    <p className="strip strip-recording" data-live={other === listening || undefined}>
      <Icon name="mic" />
      <span>{other === listening ? text.live({ who }) : text.unsent({ who })}</span>
      <button type="button" className="link" onClick={() => go({ ...route, c: other })}>{text.goThere}</button>
    </p>
  );
}
