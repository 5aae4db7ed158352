/** The rows of a consumer's list: those that everybody sees, and those whose code comes later (side.ts). */
import type { Content, ConversationEvent, Later } from "../client/conversation/events";
import type { Row as Common } from "../client/conversation/thread";

/** Somebody left, promised to be back, or the brand asks how it was. */
export interface LaterRow {
  readonly row: "later";
  readonly id: string;
  readonly n: number;
  readonly at: number;
  readonly by: number;
  readonly name: string;
  readonly content: Content & { readonly kind: Later };
}

export type Row = Common | LaterRow;

export function laterRows({ n, at, by, content }: ConversationEvent, name: string): LaterRow[] {
  return "inside" in content && content.kind !== "rated" ? [{ row: "later", id: `n${n}`, n, at, by, name, content }] : [];
}

/** Where one person joins and answers at once, answering says it. That a conversation goes on is seen by what was written. */
export function isShown(row: Row, i: number, rows: readonly Row[]): boolean {
  if (row.row !== "notice") return true;
  const next = rows[i + 1];
  return row.what !== "resumed" && !(row.what === "joined" && next?.row === "notice" && next.what === "assigned" && next.by === row.by);
}
