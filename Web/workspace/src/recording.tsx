import { useLayoutEffect, useRef, useState, useSyncExternalStore, type ReactElement } from "react";
import { RecorderPanel } from "../../voice/booth";
import { useBooth, useWhyNot } from "./booth";
import { useDesk, usePlace } from "./desk";
import { useLatest } from "./hooks";
import { Icon } from "./icons";
import { announce } from "./live";
import { go, useRoute } from "./route";
import { strings } from "./strings";

const text = strings.recording;

/** What the keys do to the recorder of the open conversation. */
interface Verbs {
  /** Opens the panel; starts; pauses; goes on. */
  next: () => void;
  stop: () => void;
}

let verbs: Verbs | undefined;

/** The key `v`. False where nothing can be recorded. */
export function recordNext(): boolean {
  verbs?.next();
  return verbs !== undefined;
}

/** The key `s`. */
export function stopRecording(): boolean {
  verbs?.stop();
  return verbs !== undefined;
}

/** The recorder of a conversation, in its composer. It stays what it is while other conversations are looked at. */
export function RecorderPlace({ c }: { c: string }): ReactElement {
  const { booth, desk } = usePlace();
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const panel = new RecorderPanel({
      recorder: booth.recorder(c), skin: "desk", announce, limitMs: () => desk.store.get().settings.audio.ms,
      covers: (_, focus) => void (focus && document.getElementById(micId(c))?.focus()),
    });
    place.current?.append(panel.element);
    return () => {
      panel.release();
      panel.element.remove();
    };
  }, [booth, desk, c]);
  return <div ref={place} />;
}

/** Opens and closes the recorder; where it cannot, it says why. */
export function MicButton({ c, status, ready }: { c: string; status: string; ready: boolean }): ReactElement {
  const { booth } = usePlace();
  const recorder = booth.recorder(c);
  const { recording } = useSyncExternalStore(recorder.store.subscribe, recorder.store.get);
  const why = useWhyNot(c, status, ready);
  const [told, setTold] = useState(false);
  const { phase } = recording;
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
  const latest = useLatest<Verbs>({
    next: () => {
      if (phase === "recording") recorder.pause();
      else if (phase === "paused") recorder.resume();
      else if (phase === "armed" || phase === "refused") void recorder.start();
      else toggle();
    },
    stop: () => void recorder.stop(),
  });
  useLayoutEffect(() => {
    verbs = { next: () => latest.current.next(), stop: () => latest.current.stop() };
    return () => void (verbs = undefined);
  }, [latest]);
  return (
    <>
      <button
        type="button" id={micId(c)} className="icon-button mic" aria-label={why === undefined ? text.open : `${text.open}. ${why}`} aria-expanded={open}
        aria-disabled={why !== undefined && !open ? true : undefined} title={why ?? `${text.open} (v)`} onClick={toggle} onBlur={() => setTold(false)}
      >
        <Icon name="mic" />
      </button>
      {told && why !== undefined && <span className="mic-why">{why}</span>}
    </>
  );
}

const micId = (c: string): string => `mic-${c}`;

/** Somewhere else a microphone is open, or something was said and not sent. */
export function RecordingElsewhere({ c }: { c: string | undefined }): ReactElement | null {
  const { listening, busy } = useBooth();
  const { inbox } = useDesk();
  const route = useRoute();
  const other = listening !== undefined && listening !== c ? listening : busy.find((one) => one !== c);
  if (other === undefined) return null;
  const who = inbox.rows.get(other)?.who ?? text.somebody;
  return (
    <p className="strip strip-recording" data-live={other === listening || undefined}>
      <Icon name="mic" />
      <span>{other === listening ? text.live(who) : text.unsent(who)}</span>
      <button type="button" className="link" onClick={() => go({ ...route, c: other })}>{text.goThere}</button>
    </p>
  );
}
