/** What the server says of the identity provider that signs a brand's consumers in. Pure. */
import { isObject, list, number, string } from "../../../client/core/parse";

/** A claim that agents see, with the brand's label. */
export interface ShownClaim {
  readonly claim: string;
  readonly label: string;
}

/** What a manager enters. */
export interface ProviderDraft {
  readonly issuer: string;
  readonly audience: string;
  readonly keys: string;
  readonly claims: readonly ShownClaim[];
  /** Whether an ID token that does not say that its address and number are verified counts as one that does. */
  readonly verifiesContacts: boolean;
}

/** A saved provider, with what of its keys can be used. */
export interface Provider extends ProviderDraft {
  readonly usable: readonly { readonly id: string; readonly algorithm: string }[];
  readonly ignored: readonly { readonly position: number; readonly reason: string }[];
  /** The public key for encrypted ID tokens, as JSON. */
  readonly encryptionKey: string;
}

/** Before anything is saved. */
export const NO_PROVIDER: ProviderDraft = { issuer: "", audience: "", keys: "", claims: [], verifiesContacts: false };

/** Parses the server's answer; `undefined` where the brand has no provider. */
export function parseProvider(json: { readonly [name: string]: unknown }): Provider | undefined {
  const of = json["provider"];
  if (!isObject(of)) return undefined;
  return {
    issuer: string(of["issuer"]) ?? "",
    audience: string(of["audience"]) ?? "",
    keys: string(of["keys"]) ?? "",
    claims: list(of["claims"], (one) =>
      isObject(one) ? { claim: string(one["claim"]) ?? "", label: string(one["label"]) ?? "" } : undefined),
    verifiesContacts: of["verifiesContacts"] === true,
    usable: list(of["usable"], (one) =>
      isObject(one) ? { id: string(one["id"]) ?? "", algorithm: string(one["algorithm"]) ?? "" } : undefined),
    ignored: list(of["ignored"], (one) =>
      isObject(one) ? { position: number(one["position"]) ?? 0, reason: string(one["reason"]) ?? "" } : undefined),
    encryptionKey: JSON.stringify(of["encryptionKey"] ?? {}),
  };
}

/** Claims as lines: `claim: label`. A line without a label shows the claim's own name. */
export const claimLines = (claims: readonly ShownClaim[]): string =>
  claims.map(({ claim, label }) => `${claim}: ${label}`).join("\n");

/** Reads `claimLines`. Empty lines are skipped. */
export function parseClaims(text: string): readonly ShownClaim[] {
  return text.split("\n").map((line) => line.trim()).filter((line) => line !== "").map((line) => {
    // A claim may be an address, with a colon that no space follows.
    const at = line.search(/:\s/u);
    const claim = (at < 0 ? line : line.slice(0, at)).trim();
    const label = at < 0 ? "" : line.slice(at + 1).trim();
    return { claim, label: label === "" ? claim : label };
  });
}
