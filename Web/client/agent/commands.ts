/** The secondary commands of agents and managers: one member with its kind (docs/protocol.md section 2, `ask`). */

/** One secondary command. */
export type AgentAsk =
  | { readonly decline: Nothing }
  | { readonly transfer: Transfer }
  | { readonly takeOver: Nothing }
  | { readonly join: Nothing }
  | { readonly leave: Nothing }
  | { readonly note: Note }
  /** Seconds until the agent is back; 0: back now. */
  | { readonly callback: number }
  | { readonly tags: readonly string[] }
  | { readonly attribute: { readonly name: string; readonly value?: string } }
  | { readonly dispose: string }
  | { readonly urgent: boolean }
  | { readonly closeQuietly: Nothing }
  | { readonly noticed: Nothing };

type Nothing = Record<string, never>;

/** To a skill, to an agent, or (neither) back to the queue. `audio` is the id of a recording that was uploaded. */
export type Transfer = {
  readonly skill?: string;
  readonly agent?: string;
  readonly note?: string;
  readonly audio?: string;
};

/** A private note: text, or the id of a recording. */
export type Note = {
  readonly text?: string;
  readonly audio?: string;
  readonly mentions?: readonly string[];
};
