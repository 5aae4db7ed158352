import { type ReactElement, useEffect, useRef, useState } from "react";
import { useSessionState, useWorkspace } from "./session-context";
import { useOnline, useSustained } from "../ui/hooks";
import { Icon } from "../ui/icons";
import { texts } from "../i18n/texts";

const text = texts.link;

/** Don't show the banner for disconnects shorter than this. */
const PATIENCE_MS = 900;
/** Longer at first, while skeletons are shown. */
const FIRST_PATIENCE_MS = 4000;
const GOOD_NEWS_MS = 2500;
const FOREIGN = 4403;

/** Shows problems with the connection. Floats above the page, so that nothing jumps. */
export function Banner(): ReactElement {
  const { session } = useWorkspace();
  const { link, linkCode, epoch } = useSessionState();
  const first = epoch === undefined;
  const online = useOnline();
  const bad = useSustained(
    link !== "online" && !(link === "stopped" && linkCode !== FOREIGN),
    first ? FIRST_PATIENCE_MS : PATIENCE_MS,
  );
  const back = useBack(bad && !first);
  useEffect(() => {
    if (online) session.connection.retryNow();
  }, [online, session]);

  return (
    <div className="banner-place" role="status">
      {bad && link === "stopped" && <Pill tone="bad" words={text.elsewhere} retry={() => session.connection.start()} />}
      {bad && link !== "stopped" && !online && <Pill tone="warn" words={text.offline} />}
      {bad && link !== "stopped" && online && (
        <Pill
          tone="warn"
          words={first ? text.first : text.waiting}
          retry={() => session.connection.retryNow()}
          busy={link === "connecting"}
        />
      )}
      {!bad && back && <Pill tone="good" words={text.back} />}
    </div>
  );
}

interface PillProps {
  tone: "bad" | "warn" | "good";
  words: string;
  busy?: boolean;
  retry?: () => void;
}

function Pill({ tone, words, busy = false, retry }: PillProps): ReactElement {
  return (
    <div className="banner" data-tone={tone}>
      <Icon name={tone === "good" ? "check" : "warn"} />
      <span>{words}</span>
      {retry && (
        <button className="link" onClick={retry} aria-disabled={busy}>{busy ? text.connecting : text.retry}</button>
      )}
    </div>
  );
}

/** True for a moment after the connection has been restored. */
function useBack(bad: boolean): boolean {
  const was = useRef(false);
  const [back, setBack] = useState(false);
  useEffect(() => {
    if (bad) {
      was.current = true;
      return;
    }
    if (!was.current) return;
    was.current = false;
    setBack(true);
    const timer = setTimeout(() => setBack(false), GOOD_NEWS_MS);
    return () => clearTimeout(timer);
  }, [bad]);
  return back;
}
