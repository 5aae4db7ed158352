import { type Filter, type Found, search } from "../../client/agent/agent-api";
import { HTTPProblem } from "../../client/core/api";
import { Store } from "../../client/core/store";
import { request } from "../app/agent-session";

const TYPING_PAUSE_MS = 250;

/** The last search and its results: still there when the person comes back from a conversation. */
export interface SearchState {
  readonly filter: Filter;
  readonly found: readonly Found[];
  readonly more: boolean;
  readonly phase: "idle" | "busy" | "done" | "failed" | "forbidden" | "slow";
}

/** Searches conversations on the server, and keeps what was found. */
export class SearchStore {
  readonly store = new Store<SearchState>({ filter: {}, found: [], more: false, phase: "idle" });
  #turn = 0;

  /** Prepares a search that the search panel runs when it opens: a saved view. */
  prepare(filter: Filter): void {
    this.#turn += 1;
    this.store.set({ filter, found: [], more: false, phase: "idle" });
  }

  /** Searches, after a pause in typing. */
  run(filter: Filter): void {
    this.#fetch(filter, [], undefined, TYPING_PAUSE_MS);
  }

  /** Fetches the next page of results. */
  more(): void {
    const { filter, found } = this.store.get();
    this.#fetch(filter, found, found[found.length - 1]?.row.p, 0);
  }

  #fetch(filter: Filter, held: readonly Found[], before: number | undefined, pause: number): void {
    this.#turn += 1;
    const turn = this.#turn;
    const isNewest = (): boolean => turn === this.#turn;
    this.store.set({ filter, phase: "busy" });
    setTimeout(() => {
      if (!isNewest()) return;
      search(request, filter, before).then(
        ({ found, more }) => isNewest() && this.store.set({ found: [...held, ...found], more, phase: "done" }),
        (error: unknown) => isNewest() && this.store.set({ phase: failurePhase(error) }),
      );
    }, pause);
  }
}

function failurePhase(error: unknown): SearchState["phase"] {
  if (!(error instanceof HTTPProblem)) return "failed";
  if (error.code === "search_too_slow") return "slow";
  return error.status === 403 ? "forbidden" : "failed";
}
