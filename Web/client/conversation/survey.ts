/** The state of a survey: its questions, its answers, and whether they can still be changed. Pure. */
import type { AudioContent, ConversationEvent } from "./events";
import type { Entry } from "../core/outbox";
import { compact, isObject, number, parseAudio, string } from "../core/parse";

/** What is asked after the end (docs/protocol.md section 3). */
export interface Survey {
  readonly n: number;
  readonly question: string;
  readonly csat: boolean;
  readonly nps: boolean;
  readonly words: boolean;
  /** Over at this moment. */
  readonly until: number;
}

/** The answers to a survey. */
export interface Rating {
  /** 1 to 5. */
  readonly csat?: number;
  /** 0 to 10. */
  readonly nps?: number;
  readonly text?: string;
  readonly audio?: AudioContent;
}

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
    ({ content }) => (content.kind === "rated" ? [content.inside] : [])
  );
  const open = end < 0 && now < survey.until;
  const coming = open ? pending.flatMap(
    ({ command, refused }) => (
      command.kind === "ask" && isObject(command.ask["rate"]) && !refused ? [command.ask["rate"]] : []
    )
  ) : [];
  return { survey, open, rating: Object.assign({}, ...[...rated, ...coming].map(readRating)) as Rating };
}

/** After one of these the conversation continues, and its survey has ended. */
const GOES_ON = ["text", "audio", "resumed", "surveyed"];

function readSurvey(event: ConversationEvent | undefined): Survey | undefined {
  if (event?.content.kind !== "surveyed") return undefined;
  const { inside } = event.content;
  const question = string(inside["question"]) ?? "";
  return {
    n: event.n,
    question,
    csat: inside["csat"] === true,
    nps: inside["nps"] === true,
    words: inside["words"] === true,
    until: number(inside["until"]) ?? 0,
  };
}

function readRating(v: Readonly<Record<string, unknown>>): Rating {
  return compact<Rating>(
    {
      csat: within(v["csat"], 1, 5),
      nps: within(v["nps"], 0, 10),
      text: string(v["text"]),
      audio: parseAudio(v["audio"]),
    }
  );
}

function within(v: unknown, least: number, most: number): number | undefined {
  const value = number(v);
  return value !== undefined && value >= least && value <= most ? value : undefined;
}

/** Whether there is any answer. */
export const isAnswered = (
  { csat, nps, text, audio }: Rating
): boolean => csat !== undefined || nps !== undefined || text !== undefined || audio !== undefined;
