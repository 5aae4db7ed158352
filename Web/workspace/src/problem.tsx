import type { ReactElement } from "react";
import type { Problem } from "../../client/agent-state";
import { Icon } from "./icons";
import { strings } from "./strings";
import { words } from "./words";

const text = strings.problem;

/** What went wrong, in plain words. */
export function refusalText(code: string, limit: number): string {
  switch (code) {
    case "text_too_long": return text.tooLong(limit);
    case "text_empty": return text.empty;
    case "unavailable":
    case "storage_full": return text.unavailable;
    case "rate_limited": return text.slowDown;
    case "forbidden": return text.forbidden;
    case "already_closed": return text.alreadyClosed;
    case "not_found": return text.gone;
    case "over_capacity": return words.problem.overCapacity;
    case "offer_gone": return words.problem.offerGone;
    case "disposition_required": return words.problem.disposition;
    case "unknown_skill":
    case "unknown_agent": return words.problem.notSkill;
    default: return text.other;
  }
}

interface ProblemProps {
  problem: Problem;
  /** Who answers the conversation, if that is somebody else. */
  other: string | undefined;
  dismiss: () => void;
}

/** Stands above the composer until it is dismissed, or until the next thing works. */
export function ProblemStrip({ problem, other, dismiss }: ProblemProps): ReactElement {
  return (
    <div className="strip strip-problem" role="alert">
      <Icon name="warn" />
      <span>{explained(problem, other)}</span>
      <button className="icon-button" aria-label={text.dismiss} onClick={dismiss}><Icon name="close" /></button>
    </div>
  );
}

/** Somebody was faster: that needs a name, for the next question is always "who?". */
function explained(problem: Problem, other: string | undefined): string {
  if (problem.code === "already_taken" || problem.code === "not_assigned") {
    const who = other === undefined && problem.text !== "" ? problem.text : text.alreadyTaken(other ?? text.somebody);
    return problem.kept ? `${who} ${text.kept}` : who;
  }
  return refusalText(problem.code, problem.limit ?? 0);
}
