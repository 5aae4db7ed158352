import { type ReactElement, useEffect, useLayoutEffect, useRef, useSyncExternalStore } from "react";
import { type Recorders, useRecorders } from "../../composer/recorders";
import { useClipPlayback } from "../../composer/clip";
import { useWorkspace } from "../../app/session-context";
import { durationText } from "../../ui/format";
import { useLatest } from "../../ui/hooks";
import { Icon } from "../../ui/icons";
import { useAnnounce } from "../../app/page-context";
import { useProblem } from "../fields";
import { type Canned, put } from "../settings-model";
import { settingsTexts } from "../../i18n/settings-texts";

const text = settingsTexts.canned;

interface ClipProps {
  readonly reply: Canned;
  readonly change: (reply: Canned) => void;
}

/** The voice clip of a canned reply, with buttons to record, play and remove it. */
export function ClipField(props: ClipProps): ReactElement {
  const here = useRecorders();
  const { reply, change } = props;
  const problem = useProblem(`${reply.id}.clip`);
  const [plays, toggle] = useClipPlayback(reply.clip);
  return (
    <div className="a-clip" role="group" aria-label={text.clipLabel}>
      <span className="a-clip-title">{text.clipLabel}</span>
      {reply.clip !== undefined && (
        <span className="clip-chip">
          <button
            type="button"
            className="icon-button"
            aria-label={plays ? text.pauseClip : text.playClip}
            aria-pressed={plays}
            onClick={toggle}
          >
            <Icon name={plays ? "pause" : "play"} />
          </button>
          <span>{durationText(reply.clip.ms)}</span>
          <button
            type="button"
            className="icon-button"
            aria-label={text.removeClip}
            title={text.removeClip}
            onClick={() => change(put(reply, "clip", undefined))}
          >
            <Icon name="close" />
          </button>
        </span>
      )}
      {here !== undefined && <ClipRecorder {...props} here={here} />}
      <p className="a-hint">{text.clipHint}</p>
      {problem !== undefined && <p className="bad" role="alert">{problem}</p>}
    </div>
  );
}

/** Records the clip. The recording belongs to its reply, also after a reload; leaving the page pauses it. */
function ClipRecorder({ reply, change, here }: ClipProps & { readonly here: Recorders }): ReactElement {
  const { session } = useWorkspace();
  const announce = useAnnounce();
  const place = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const latest = useLatest({ reply, change });
  const name = `reply ${reply.id}`;
  const recorder = here.clips.recorder(name);
  const { recording } = useSyncExternalStore(recorder.store.subscribe, recorder.store.get);
  useEffect(() =>
    here.awaitClip(name, ({ media, ms }) => {
      const now = latest.current;
      now.change({ ...now.reply, clip: { media, ms } });
      announce(text.clipKept);
    }), [here, name, latest, announce]);
  useLayoutEffect(() => {
    const panel = here.panel({
      recorder,
      skin: "workspace",
      announce,
      limitMs: () => session.store.get().settings.audio.ms,
      strings: text.recorder,
      covers: (_, focus) => void (focus && button.current?.focus()),
    }, false);
    place.current?.append(panel.element);
    return () => {
      recorder.stopCapture();
      panel.release();
      panel.element.remove();
    };
  }, [here, recorder, session, announce]);
  const idle = recording.phase === "idle" || recording.phase === "deleted";
  return (
    <>
      <button ref={button} type="button" className="button" hidden={!idle} onClick={() => recorder.arm()}>
        <Icon name="mic" />
        {reply.clip === undefined ? text.recordClip : text.recordClipAgain}
      </button>
      <div ref={place} className="a-clip-recorder" />
    </>
  );
}
