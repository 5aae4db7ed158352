import { useEffect, useState } from "react";
import { type Credentials, type Refusal, type Session, signIn } from "../../client/agent/sign-in";
import { request } from "../app/agent-session";
import { usePage } from "../app/page-context";
import { signInTexts } from "../i18n/sign-in-texts";
import { texts } from "../i18n/texts";
import { useLatest } from "../ui/hooks";

const text = signInTexts;

/** An attempt to sign in, as the forms show it. */
export interface Attempt {
  readonly busy: boolean;
  readonly error: string;
  /** The seconds until the next attempt. */
  readonly wait: number;
  readonly show: (error: string) => void;
  /** Signs in. Returns the session, or the code of the refusal. */
  readonly run: (credentials: Credentials) => Promise<Session | string>;
}

/** Signs in, and holds what a form shows of it. */
export function useAttempt(notice?: string): Attempt {
  const { set: prefer } = usePage().preferences;
  const [busy, setBusy] = useState(false);
  const [error, show] = useState(notice === undefined ? "" : refusalMessage({ code: notice }));
  const [wait, setWait] = useRetryDelay(() => show(""));
  const run = async (credentials: Credentials): Promise<Session | string> => {
    setBusy(true);
    show("");
    const answer = await signIn(request, credentials);
    setBusy(false);
    if (answer.ok) {
      prefer({ account: credentials.account, email: credentials.email });
      return answer.value;
    }
    const seconds = answer.refusal.retryAfter ?? 0;
    setWait(seconds);
    // A value that no account and no address can have is wrong like any other.
    const code = answer.refusal.code === "bad_request" ? "login_failed" : answer.refusal.code;
    show(seconds > 0 ? text.wait({ seconds }) : refusalMessage({ code }));
    return code;
  };
  return { busy, error, wait, show, run };
}

/** The seconds until the next attempt, counted down. */
function useRetryDelay(over: () => void): [number, (seconds: number) => void] {
  const [until, setUntil] = useState(0);
  const [now, setNow] = useState(0);
  const ended = useLatest(over);
  useEffect(() => {
    if (until === 0) return;
    const timer = setInterval(() => setNow(Date.now()), 250);
    return () => clearInterval(timer);
  }, [until]);
  const left = until === 0 ? 0 : Math.max(0, Math.ceil((until - Math.max(now, 0)) / 1000));
  useEffect(() => {
    if (until === 0 || left > 0) return;
    setUntil(0);
    ended.current();
  }, [until, left, ended]);
  const start = (seconds: number): void => {
    setNow(Date.now());
    setUntil(seconds > 0 ? Date.now() + seconds * 1000 : 0);
  };
  return [left, start];
}

/** Why the server refused, in words. */
export function refusalMessage({ code }: Refusal): string {
  switch (code) {
    case "login_failed":
      return text.failed;
    case "second_factor_required":
      return text.code.missing;
    case "second_factor_wrong":
      return text.code.wrong;
    case "out_of_range":
      return text.length;
    case "bad_request":
      return text.badName;
    case "rate_limited":
      return text.slow;
    case "suspended":
      return texts.problem.suspended;
    case "network":
      return text.offline;
    case "unavailable":
    case "storage_full":
      return text.unavailable;
    default:
      return text.other;
  }
}
