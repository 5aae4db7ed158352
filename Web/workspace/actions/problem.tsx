import type { ReactElement } from "react";
import type { Problem } from "../../client/agent/agent-state";
import { Icon } from "../ui/icons";
import { refusalText } from "./refusals";
import { texts } from "../i18n/texts";

const text = texts.problem;

interface ProblemProps {
  problem: Problem;
  /** The agent who answers the conversation, if it is someone else. */
  other: string | undefined;
  dismiss: () => void;
}

/** An error above the composer, shown until it is dismissed or the next command succeeds. */
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

/** Someone else was faster: name them, because the next question is who. */
function explained(problem: Problem, other: string | undefined): string {
  if (problem.code === "already_taken" || problem.code === "not_assigned") {
    const who = other === undefined && problem.text !== ""
      ? problem.text
      : text.alreadyTaken({ name: other ?? text.somebody });
    return problem.kept ? `${who} ${text.kept}` : who;
  }
  return refusalText(problem.code, problem.limit ?? 0);
}
