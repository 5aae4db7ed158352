import { type ReactElement } from "react";
import type { Wall as Figures } from "../../client/agent/people";
import { useTick } from "../app/clock";
import { useSessionState } from "../app/session-context";
import { wallTexts } from "../i18n/wall-texts";
import { durationText } from "../ui/format";
import { Icon } from "../ui/icons";
import { callUnderWay, csat, drillDownPath, fullness, promises, promisesKept, stopwatchText, totals } from "./totals";

/** The figures of all queues together. */
export function Totals({ wall }: { wall: Figures }): ReactElement {
  const all = totals(wall);
  const calls = [...useSessionState().inbox.rows.values()].filter(callUnderWay).length;
  const share = csat(all);
  const inTime = promisesKept(all);
  const load = fullness(all.load, all.capacity);
  return (
    <dl className="wall-totals">
      <Total name={wallTexts.queued} href={drillDownPath("queued", undefined)}>{all.queued}</Total>
      <Total name={wallTexts.oldest} href={drillDownPath("queued", undefined)}>
        {all.oldest === undefined ? wallTexts.nobody : <Ticking since={all.oldest} />}
      </Total>
      <Total name={wallTexts.unplayed} href={drillDownPath("unplayed", undefined)}>
        {all.unplayed === 0 ? wallTexts.nobody : durationText(all.unplayed)}
      </Total>
      <Total
        name={wallTexts.assigned}
        href={drillDownPath("assigned", undefined)}
        {...(calls > 0 && { more: wallTexts.calls({ count: calls }) })}
      >
        {all.assigned}
      </Total>
      <Total name={wallTexts.overdue} href={drillDownPath("overdue", undefined)} bad={all.overdue > 0}>
        {all.overdue}
      </Total>
      <Total name={wallTexts.load}>{`${load} %`}</Total>
      <Total name={wallTexts.online}>{all.online}</Total>
      <Total name={wallTexts.closed} href={drillDownPath("closed", undefined)}>{all.closed}</Total>
      <Total
        name={wallTexts.kept}
        more={inTime === undefined
          ? wallTexts.nobodyPromised
          : wallTexts.csatMore({ satisfied: all.kept, rated: promises(all) })}
      >
        {inTime === undefined ? wallTexts.nobody : `${inTime} %`}
      </Total>
      <Total
        name={wallTexts.csat}
        more={share === undefined
          ? wallTexts.nobodyRated
          : wallTexts.csatMore({ satisfied: all.satisfied, rated: all.rated })}
      >
        {share === undefined ? wallTexts.nobody : `${share} %`}
      </Total>
    </dl>
  );
}

interface TotalProps {
  readonly name: string;
  readonly href?: string;
  readonly bad?: boolean;
  readonly more?: string;
  readonly children: React.ReactNode;
}

function Total({ name, href, bad = false, more, children }: TotalProps): ReactElement {
  const value = <>{bad && <Icon name="warn" />}{children}</>;
  return (
    <div className="wall-total" data-bad={bad || undefined}>
      <dt>{name}</dt>
      <dd>{href === undefined ? value : <a href={href}>{value}</a>}{more !== undefined && <small>{more}</small>}</dd>
    </div>
  );
}

export function Ticking({ since }: { since: number }): ReactElement {
  return <span className="wall-ticks">{stopwatchText(useTick() - since)}</span>;
}
