/** The rows of a consumer's list: those of every front end, and those whose code loads later (contact-centre.ts). */
import type { Content, ConversationEvent } from "../../client/conversation/events";
import type { Row as Common } from "../../client/conversation/thread";

/** An agent left, a survey, or a call. That an agent will be back stands in the header, as long as it is true. */
export interface LaterRow {
  readonly row: "later";
  readonly id: string;
  readonly n: number;
  readonly at: number;
  readonly by: number;
  readonly name: string;
  readonly content: Later;
}

/** What loads later. */
type Later = Extract<Content, { kind: "left" | "surveyed" | "callEnded" | "callRequested" }>;

/** Any row of the widget. */
export type Row = Common | LaterRow;

/** The rows of events whose code loads later. */
export function laterRows({ n, at, by, content }: ConversationEvent, name: string): LaterRow[] {
  const { kind } = content;
  const isLater = kind === "left" || kind === "surveyed" || kind === "callEnded" || kind === "callRequested";
  return isLater ? [{ row: "later", id: `n${n}`, n, at, by, name, content }] : [];
}

/** Where an agent joins and is assigned at once, one line is enough. Resuming shows by the message itself. */
export function isShown(row: Row, i: number, rows: readonly Row[]): boolean {
  if (row.row !== "notice") return true;
  const next = rows[i + 1];
  return row.what !== "resumed" && !(
    row.what === "joined" && next?.row === "notice" && next.what === "assigned" && next.by === row.by
  );
}
