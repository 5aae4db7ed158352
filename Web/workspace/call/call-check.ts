import { useEffect, useMemo, useRef, useState } from "react";
import { DeviceCheck } from "../../call/device-check";
import { checkFrame } from "../../call/frames";
import { best } from "../../call/verdict";
import { read } from "../../client/core/shapes";
import type { ServerFrame } from "../../client/core/wire";
import { callChecked, callReadiness } from "../../protocol/call-shapes";
import type { WireCallReadiness } from "../../protocol/frames";
import { useWorkspace } from "../app/session-context";

/** A page that is open answers within this time, also where a relay does not. */
const ANSWER_WITHIN_MS = 6000;
const AGAIN_MS = 20_000;

/** What both sides found out about themselves; `undefined` is not known yet, and `"gone"`: no page answered. */
export interface CallCheck {
  readonly own: WireCallReadiness | undefined;
  readonly theirs: WireCallReadiness | "gone" | undefined;
  /** Asks once more, now. */
  readonly again: () => void;
}

/** Asks both sides, again and again while this page is looked at, whether there could be a call. */
export function useCallCheck(c: string, isAsked: boolean): CallCheck {
  const { session: { channel, calls } } = useWorkspace();
  const [own, setOwn] = useState<WireCallReadiness>();
  const [theirs, setTheirs] = useState<WireCallReadiness | "gone">();
  const device = useMemo(() => new DeviceCheck(), []);
  const ask = useRef(() => {});
  useEffect(() => {
    if (!isAsked) return;
    let answers: WireCallReadiness[] = [];
    let late: ReturnType<typeof setTimeout> | undefined;
    ask.current = () => {
      if (document.visibilityState !== "visible" || !channel.send(checkFrame(c))) return;
      answers = [];
      clearTimeout(late);
      late = setTimeout(() => setTheirs(best(answers) ?? "gone"), ANSWER_WITHIN_MS);
    };
    const take = (frame: ServerFrame): void => {
      if (frame.kind === "check" && frame.check.c === c) void device.readiness(frame.check).then(setOwn);
      if (frame.kind !== "checked") return;
      const checked = read(callChecked, frame.checked);
      const ready = read(callReadiness, checked?.ready);
      if (checked?.c === c && ready) setTheirs(best(answers = [...answers, ready]));
    };
    calls.add(take);
    ask.current();
    const timer = setInterval(() => ask.current(), AGAIN_MS);
    return () => {
      calls.delete(take);
      clearInterval(timer);
      clearTimeout(late);
      ask.current = () => {};
      setTheirs(undefined);
    };
  }, [channel, calls, c, isAsked, device]);
  return { own, theirs, again: () => ask.current() };
}
