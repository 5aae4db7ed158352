/** Where a recorded private note goes: into the conversation, or along with a transfer that waits for it. Pure. */
import type { AgentAsk, Transfer } from "../../client/agent/commands";

/** A transfer that takes the next private recording of its conversation along. */
export interface PendingTransfer {
  readonly transfer: Transfer;
  /** The person has sent it: closing the dialog no longer withdraws it. */
  readonly submitted: boolean;
}

/** The transfers that wait for a recording, by conversation. */
export type PendingTransfers = Readonly<Record<string, PendingTransfer>>;

export type TransferEvent =
  | { readonly kind: "prepared"; readonly c: string; readonly transfer: Transfer }
  | { readonly kind: "submitted"; readonly c: string }
  | { readonly kind: "withdrawn"; readonly c: string }
  | { readonly kind: "recorded"; readonly c: string };

/** The transfers that wait after an event. */
export function pendingTransfers(pending: PendingTransfers, event: TransferEvent): PendingTransfers {
  const { [event.c]: mine, ...others } = pending;
  switch (event.kind) {
    case "prepared":
      return { ...others, [event.c]: { transfer: event.transfer, submitted: mine?.submitted ?? false } };
    case "submitted":
      return mine === undefined ? pending : { ...others, [event.c]: { ...mine, submitted: true } };
    case "withdrawn":
      return mine?.submitted === true ? pending : others;
    case "recorded":
      return others;
  }
}

/** The command for a private recording of `c`: the waiting transfer with the recording, else a note. */
export function noteCommand(pending: PendingTransfers, c: string, media: string): AgentAsk {
  const waiting = pending[c];
  return waiting === undefined ? { note: { audio: media } } : { transfer: { ...waiting.transfer, audio: media } };
}
