import type { ReactElement } from "react";
import type { Problem } from "../../client/agent/agent-state";
import { Icon } from "../ui/icons";
import { refusalText } from "./refusals";
import { texts } from "../i18n/texts";

const text = texts.problem;

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
      <button className="icon-button" aria-label={text.dismiss} onClick={dismiss}>
        <Icon name="close" />
      </button>
    </div>
  );
}

/** Somebody was faster: that needs a name, for the next question is always "who?". */
function explained(problem: Problem, other: string | undefined): string {
  if (problem.code === "already_taken" || problem.code === "not_assigned") {
    const who = other === undefined && problem.text !== ""
      ? problem.text
      : text.alreadyTaken({ name: other ?? text.somebody });
    return problem.kept ? `${who} ${text.kept}` : who;
  }
  return refusalText(problem.code, problem.limit ?? 0);
}
