/** The state of a survey: its questions, its answers, and whether they can still be changed. Pure. */
import type { ConversationEvent } from "./events";
import type { Entry } from "../core/outbox";
import { isObject } from "../core/parse";
import { read } from "../core/shapes";
import type { WireContent } from "../../protocol/frames";
import { eventKinds } from "../../protocol/shapes";

/** What is asked after the end (docs/protocol.md section 3), with its event's number; over at `until`. */
export type Survey = Omit<Extract<WireContent, { kind: "surveyed" }>, "kind"> & { readonly n: number };

/** The answers to a survey: `csat` 1 to 5, `nps` 0 to 10. */
export type Rating = Omit<Extract<WireContent, { kind: "rated" }>, "kind">;

/** A survey with its answers. */
export interface SurveyState {
  readonly survey: Survey;
  /** All answers together. Later ones replace earlier ones, and answers in flight count. */
  readonly rating: Rating;
  /** May be answered, and answered differently. */
  readonly open: boolean;
}

/** The survey that was asked with event `n`; `undefined` where that is none. */
export function surveyState(
  events: readonly ConversationEvent[], pending: readonly Entry[], n: number, now: number,
): SurveyState | undefined {
  const at = events.findIndex((event) => event.n === n);
  const survey = readSurvey(events[at]);
  if (!survey) return undefined;
  const after = events.slice(at + 1);
  const end = after.findIndex(({ content: { kind } }) => GOES_ON.includes(kind));
  const rated = (end < 0 ? after : after.slice(0, end)).flatMap(
    ({ content }) => (content.kind === "rated" ? [ratingOf(content)] : [])
  );
  const open = end < 0 && now < survey.until;
  const coming = open ? pending.flatMap(
    ({ command, refused }) => (
      command.kind === "ask" && isObject(command.ask["rate"]) && !refused ? [command.ask["rate"]] : []
    )
  ) : [];
  const answers = [...rated, ...coming.map((rate) => read<Rating>(eventKinds.rated, rate))];
  return { survey, open, rating: Object.assign({}, ...answers) as Rating };
}

/** After one of these the conversation continues, and its survey has ended. */
const GOES_ON = ["resumed", "reopened", "surveyed"];

function ratingOf({ kind: _, ...rating }: Extract<WireContent, { kind: "rated" }>): Rating {
  return rating;
}

function readSurvey(event: ConversationEvent | undefined): Survey | undefined {
  if (event?.content.kind !== "surveyed") return undefined;
  const { kind: _, ...asked } = event.content;
  return { n: event.n, ...asked };
}

/** Whether there is any answer. */
export const isAnswered = (
  { csat, nps, text, audio }: Rating
): boolean => csat !== undefined || nps !== undefined || text !== undefined || audio !== undefined;
