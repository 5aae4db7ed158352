/** What is said and played at conversations without being stored: got, read, typing. */

import type { Clock } from "../core/ports";
import { Signals, TypingList } from "../conversation/ephemeral-signals";

interface Lane {
  readonly signals: Signals;
  readonly typing: TypingList;
}

export class AgentLanes {
  private readonly lanes = new Map<string, Lane>();

  /** `typing` is told who types at a conversation whenever that changes. */
  constructor(
    private readonly clock: Clock,
    private readonly send: (frame: string) => boolean,
    private readonly typing: (c: string, by: readonly number[]) => void,
  ) {}

  at(c: string): Lane {
    const known = this.lanes.get(c);
    if (known !== undefined) return known;
    const lane = {
      signals: new Signals(this.clock, this.send, c),
      typing: new TypingList(this.clock, (by) => this.typing(c, by)),
    };
    this.lanes.set(c, lane);
    return lane;
  }

  forget(c: string): void {
    this.lanes.delete(c);
  }

  /** A new socket: nobody types as far as we know, and our marks may never have arrived. */
  reconnected(): void {
    for (const { signals, typing } of this.lanes.values()) {
      typing.clear();
      signals.reconnected();
    }
  }
}
