/** What the sign-in page asks before anyone signs in: docs/protocol.md, section 1. */

import { call, type Fetch } from "../../core/api";
import { string, type Json } from "../../core/parse";
import { type Answer, ask, parseSession, type Session } from "../sign-in";

/** The brands of a server, as far as anyone may know them: only of a single one the id and the name. */
export type BrandChoice =
  | { readonly brands: "none" }
  | { readonly brands: "one"; readonly account: string; readonly name: string }
  | { readonly brands: "several" };

/** Asks whether the server has no brand, one, or several. */
export function brandChoice(fetch: Fetch): Promise<Answer<BrandChoice>> {
  return ask(parseChoice, () => call(fetch, "GET", "/v1/login", {}));
}

/** Signs in with a one-click link of the demo. */
export function enterByLink(fetch: Fetch, token: string): Promise<Answer<Session>> {
  return ask(parseSession, () => call(fetch, "POST", "/v1/login/link", {}, { token }));
}

/** An account name as `earshot add brand` takes it. */
const ACCOUNT = /^[a-z0-9-]{1,64}$/u;

/** Whether a text can be the name of an account. */
export function isAccountName(text: string): boolean {
  return ACCOUNT.test(text);
}

/**
 * The account that the page signs in to without asking for it: the server's only one, the one that the address says
 * (`?account=demo`), or the last one on this device.
 */
export function knownAccount(choice: BrandChoice, search: string, last: string): string | undefined {
  if (choice.brands === "one") return choice.account;
  return [new URLSearchParams(search).get("account") ?? "", last].find(isAccountName);
}

function parseChoice(json: Json): BrandChoice | undefined {
  const [brands, account, name] = [json["brands"], string(json["account"]), string(json["name"])];
  if (brands === "none" || brands === "several") return { brands };
  return brands === "one" && account !== undefined ? { brands, account, name: name ?? account } : undefined;
}
