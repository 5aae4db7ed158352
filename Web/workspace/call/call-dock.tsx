// Shares one chunk with everything that the page needs at load: see lazy-part.tsx.
import "../app/app";
import { type ReactElement, useEffect, useMemo, useState, useSyncExternalStore } from "react";
import { CallControl } from "../../call/call-control";
import type { CallDevice, DeviceState } from "../../call/call-device";
import type { OngoingCall } from "../../client/conversation/calls";
import type { InboxRow } from "../../client/conversation/events";
import { useDialogState } from "../actions/dialog-state";
import { useAnnounce } from "../app/page-context";
import { go } from "../app/route";
import { useSessionState, useWorkspace } from "../app/session-context";
import { callTexts } from "../i18n/call-texts";
import { CallIcon, type CallShape } from "./call-icon";
import { Level } from "./level";
import { Microphones } from "./microphones";
import { Picture } from "./picture";

const text = callTexts;

/** The call of this person, over whatever page they are on. */
export default function CallDock(): ReactElement | null {
  const { inbox, me } = useSessionState();
  const { invitation } = useDialogState();
  const row = [...inbox.rows.values()].find(({ routing }) => routing?.call?.agent === me);
  const c = row?.c ?? invitation?.c;
  return c === undefined ? null : <Dock key={c} c={c} row={inbox.rows.get(c)} />;
}

function Dock({ c, row }: { c: string; row: InboxRow | undefined }): ReactElement | null {
  const control = useControl(c, row);
  const { call, device, asking, problem } = useSyncExternalStore(control.store.subscribe, control.store.get);
  const name = row?.who ?? "";
  const { dialogs } = useWorkspace().ui;
  if (!call && !asking && !problem) return null;
  return (
    <section className="call-dock" role="region" aria-label={text.label({ name })}>
      {device
        ? <OwnCall device={device} name={name} end={() => void control.hangUp()} />
        : (
          <>
            <p className="call-name" dir="auto">{name}</p>
            <p className="call-status" role={problem ? "alert" : "status"}>
              {problem
                ? text.problem[problem]
                : asking
                ? text.asking
                : call?.since === undefined
                ? text.inviting({ name })
                : text.elsewhere}
            </p>
          </>
        )}
      {!device && (
        <div className="call-acts">
          {problem && !call && (
            <button className="button" onClick={() => dialogs.invite(undefined)}>{text.dismiss}</button>
          )}
          {call && (
            <button className="button" onClick={() => void control.hangUp()}>
              {call.since === undefined ? text.cancel : text.hangUp}
            </button>
          )}
        </div>
      )}
      <button className="link call-open" onClick={() => go({ tab: "mine", c, card: false })}>{text.open}</button>
    </section>
  );
}

/** The call of this conversation, followed as long as the dock shows it. */
function useControl(c: string, row: InboxRow | undefined): CallControl {
  const { session, recorders, ui: { dialogs } } = useWorkspace();
  const { link, problems } = useSessionState();
  const { invitation } = useDialogState();
  const control = useMemo(() => new CallControl({
    channel: session.channel,
    c,
    place: `earshot.call.${c}`,
    ask: (ask) => session.ask(c, ask as Parameters<typeof session.ask>[1]),
    takesMicrophone: () => recorders.pause(),
  }), [session, recorders, c]);
  useEffect(() => {
    const { calls } = session;
    const receive = control.receive.bind(control);
    calls.add(receive);
    return () => {
      calls.delete(receive);
      control.leave();
    };
  }, [session, control]);
  useEffect(() => {
    if (invitation?.c !== c) return;
    void control.invite(invitation.kind);
  }, [control, invitation, c]);
  const call = row?.routing?.call;
  const isSettled = call !== undefined || problems.has(c);
  useEffect(() => {
    // Until the server has said something, the microphone waits for the call.
    if (isSettled && invitation?.c === c) dialogs.invite(undefined);
  }, [isSettled, invitation, c, dialogs]);
  useEffect(() => control.update(call && ongoing(call), link === "online"), [control, call, link]);
  return control;
}

const ongoing = (call: NonNullable<NonNullable<InboxRow["routing"]>["call"]>): OngoingCall => ({
  number: call.n, kind: call.media, by: 0, until: call.until, since: call.since,
});

function OwnCall({ device, name, end }: { device: CallDevice; name: string; end: () => void }): ReactElement {
  const state = useSyncExternalStore(device.store.subscribe, device.store.get);
  const [silent, setSilent] = useState(false);
  const { own, remote, phase } = state;
  const isVideo = device.media.kind === "video";
  const status = statusText(state, name, useSeconds(state.since));
  const announce = useAnnounce();
  useEffect(() => {
    if (phase !== "connected") announce(status);
  }, [phase, announce, status]);
  return (
    <>
      <div className="call-pictures">
        <Picture
          stream={state.stream}
          hidden={!remote.camera && !remote.screen}
          label={remote.screen ? text.screen({ name }) : text.theirs({ name })}
          className="call-theirs"
          silent={setSilent}
          floats
        />
        <Picture stream={device.media.stream} hidden={!own.camera} label={text.own} className="call-own" muted />
      </div>
      <p className="call-name" dir="auto">{name}</p>
      <p className="call-status">{status}</p>
      <Level track={state.stream?.getAudioTracks()[0]} />
      {phase === "connected" && <p className="call-note">{noteText(state, name)}</p>}
      {state.fingerprint !== "" && <Secure code={state.fingerprint} name={name} />}
      <Microphones device={device} />
      {silent && <button className="button" onClick={() => setSilent(false)}>{text.hear({ name })}</button>}
      <div className="call-acts">
        <Switch
          icon={own.microphone ? "mic" : "micOff"}
          label={own.microphone ? text.mute : text.unmute}
          off={!own.microphone}
          run={() => device.setMicrophone(!own.microphone)}
        />
        {isVideo && (
          <Switch
            icon={own.camera ? "camera" : "cameraOff"}
            label={own.camera ? text.cameraOff : text.cameraOn}
            off={!own.camera}
            run={() => void device.setCamera(!own.camera).catch(() => undefined)}
          />
        )}
        {isVideo && "getDisplayMedia" in navigator.mediaDevices && (
          <Switch
            icon="screen"
            label={own.screen ? text.unshare : text.share}
            off={own.screen}
            run={() => void device.share(!own.screen).catch(() => undefined)}
          />
        )}
        <button className="icon-button call-end" aria-label={text.hangUp} title={text.hangUp} onClick={end}>
          <CallIcon name="end" />
        </button>
      </div>
    </>
  );
}

/** What both sides compare to be sure that nobody is between them. */
function Secure({ code, name }: { code: string; name: string }): ReactElement {
  return (
    <details className="call-note">
      <summary>{text.secure}</summary>
      <p>{text.secureMore({ code, name })}</p>
    </details>
  );
}

interface SwitchProps {
  icon: CallShape;
  label: string;
  off: boolean;
  run: () => void;
}

function Switch({ icon, label, off, run }: SwitchProps): ReactElement {
  return (
    <button className="icon-button call-switch" aria-label={label} title={label} aria-pressed={off} onClick={run}>
      <CallIcon name={icon} />
    </button>
  );
}

function statusText({ phase }: DeviceState, name: string, time: string): string {
  switch (phase) {
    case "connected":
      return time;
    case "waiting":
    case "away":
      return text[phase]({ name });
    default:
      return text[phase];
  }
}

function noteText({ quality, remote }: DeviceState, name: string): string {
  const muted = remote.microphone ? "" : text.muted({ name });
  return [muted, quality && text.quality[quality]].filter(Boolean).join(" · ");
}

/** How long ago that was, as minutes and seconds. */
function useSeconds(since: number | undefined): string {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.max(0, Math.floor((now - (since ?? now)) / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
