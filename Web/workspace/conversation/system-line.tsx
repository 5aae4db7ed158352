import { memo, type ReactElement } from "react";
import type { SystemLineRow } from "../../client/agent/private-rows";
import { useCentre, useNameOf } from "../app/session-context";
import { timeText } from "../ui/format";
import { texts } from "../i18n/texts";

const text = texts.notice;

/** One line about what routing or a colleague did. */
export const SystemLine = memo(
  function ToldView({ row, who, me }: { row: SystemLineRow; who: string; me: number }): ReactElement | null {
    const { centre } = useCentre();
    const nameOf = useNameOf();
    const skillOf = (id: string): string => centre?.skills.find((one) => one.id === id)?.name ?? id;
    const attributeOf = (id: string): string => centre?.attributes.find((one) => one.id === id)?.name ?? id;
    const said = systemText(row, { who, me, nameOf, skillOf, attributeOf });
    const { times = 1 } = row;
    const line = said !== undefined && times > 1 ? text.times({ line: said, count: times }) : said;
    return line === undefined ? null : (
      <li className="notice">
        <span>{line}</span> <time>{timeText(row.at)}</time>
      </li>
    );
  },
);

interface Names {
  readonly who: string;
  readonly me: number;
  readonly nameOf: (id: string | undefined) => string;
  readonly skillOf: (id: string) => string;
  readonly attributeOf: (id: string) => string;
}

function systemText({ event, by, name }: SystemLineRow, names: Names): string | undefined {
  const { content } = event;
  const mine = by === names.me;
  const someone = by === 1 ? names.who : mine ? texts.say.you : by === 0 ? text.earshot : name || texts.notice.somebody;
  switch (content.kind) {
    case "queued":
      return queuedText(content, someone, names);
    case "declined": {
      const who = content.agents.map(names.nameOf).join(", ");
      return content.said ? text.declined({ names: who }) : text.rangOut({ names: who });
    }
    case "settled":
      return mine ? text.settledYou : text.settled({ name: someone });
    case "left":
      return mine ? text.leftYou : text.left({ name: someone });
    case "callback":
      return callbackText(content.until, mine, someone);
    case "surveyed":
      return text.surveyed({ question: content.question });
    case "tagged":
      return content.tags.length === 0
        ? text.untagged({ name: someone })
        : text.tagged({ name: someone, tags: content.tags.join(", ") });
    case "attribute": {
      const what = names.attributeOf(content.name);
      return content.value === undefined
        ? text.attributeGone({ name: someone, what })
        : text.attribute({ name: someone, what, value: content.value });
    }
    case "disposed":
      return text.disposed({ name: someone, what: content.name });
    case "urgent":
      return content.on ? text.urgent({ name: someone }) : text.notUrgent({ name: someone });
    default:
      return undefined;
  }
}

function callbackText(until: number | undefined, mine: boolean, someone: string): string {
  if (until === undefined) return mine ? text.backYou : text.back({ name: someone });
  return mine ? text.promisedYou({ time: timeText(until) }) : text.promised({ name: someone, time: timeText(until) });
}

function queuedText(
  { skill, why, to, until }: Extract<SystemLineRow["event"]["content"], { kind: "queued" }>,
  someone: string,
  names: Names,
): string {
  const where = names.skillOf(skill);
  const whom = to === undefined ? undefined : reservedText(names.nameOf(to), until);
  const said = ((): string => {
    switch (why) {
      case "transferred":
        return text.queued.transferred({ by: someone, to: to === undefined ? where : names.nameOf(to) });
      case "returned":
        return text.queued.returned({ by: someone });
      case "silent":
        return text.queued.silent;
      case "offline":
        return text.queued.offline;
      case "noPermission":
        return text.queued.noPermission;
      case "fallback":
        return text.queued.fallback({ skill: where });
      case "routed":
        return text.queued.routed({ skill: where });
      case "unanswered":
        return text.queued.unanswered({ skill: where });
      default:
        return text.queued.other({ skill: where });
    }
  })();
  return whom === undefined ? said : `${said} (${whom})`;
}

function reservedText(name: string, until: number | undefined): string {
  return until === undefined
    ? text.queued.forWhom({ name })
    : text.queued.forWhomUntil({ name, time: timeText(until) });
}
