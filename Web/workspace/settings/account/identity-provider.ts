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
  /** `used`: when the key verified an ID token last, since the server started. */
  readonly usable: readonly { readonly id: string; readonly algorithm: string; readonly used?: number | undefined }[];
  /** When the keys were pasted. */
  readonly keysSince?: number | undefined;
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
      isObject(one)
        ? { id: string(one["id"]) ?? "", algorithm: string(one["algorithm"]) ?? "", used: number(one["used"]) }
        : undefined),
    keysSince: number(of["keysSince"]),
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

/** How many ID tokens were refused for one reason since the server started, and when the last one was. */
export interface Refusals {
  readonly reason: string;
  readonly count: number;
  readonly last: number;
}

/** Parses the refusals in the server's answer. */
export function parseRefusals(json: { readonly [name: string]: unknown }): readonly Refusals[] {
  return list(json["refusals"], (one) => {
    const reason = isObject(one) ? string(one["reason"]) : undefined;
    if (!isObject(one) || reason === undefined) return undefined;
    return { reason, count: number(one["count"]) ?? 0, last: number(one["last"]) ?? 0 };
  });
}

/** After so long the keys may have been replaced at the provider. */
const OLD_KEYS_MS = 90 * 86_400_000;

/** What speaks for it that the pasted keys are no longer the provider's. */
export function keyWarning(
  { keysSince }: Pick<Provider, "keysSince">, refusals: readonly Refusals[], now: number,
): "replaced" | "old" | undefined {
  if (refusals.some(({ reason }) => reason === "id_token_key_unknown")) return "replaced";
  return keysSince !== undefined && now - keysSince > OLD_KEYS_MS ? "old" : undefined;
}

/** What a pasted ID token says, and whether it would sign a consumer in. */
export interface TokenReport {
  /** The stable reason of the refusal; `undefined` if the token is accepted. */
  readonly reason: string | undefined;
  readonly encrypted: boolean;
  readonly algorithm: string | undefined;
  readonly key: string | undefined;
  readonly keyKnown: boolean;
  readonly issuer: string | undefined;
  readonly audiences: readonly string[];
  readonly subject: string | undefined;
  readonly issued: number | undefined;
  readonly notBefore: number | undefined;
  readonly expires: number | undefined;
  /** What agents would see: label and value. */
  readonly claims: readonly (readonly [label: string, value: string])[];
}

/** Parses the server's answer to a pasted token. `labels` name the standard claims. */
export function parseReport(
  json: { readonly [name: string]: unknown }, labels: Readonly<Record<"name" | "email" | "phone", string>>,
): TokenReport {
  const of = isObject(json["claims"]) ? json["claims"] : {};
  const standard = (["name", "email", "phone"] as const).flatMap((name) => {
    const value = string(of[name]);
    return value === undefined ? [] : [[labels[name], value] as const];
  });
  const others = list(of["others"], (one) =>
    isObject(one) ? [string(one["label"]) ?? "", string(one["value"]) ?? ""] as const : undefined);
  return {
    reason: json["accepted"] === true ? undefined : string(json["reason"]) ?? "",
    encrypted: json["encrypted"] === true,
    algorithm: string(json["algorithm"]),
    key: string(json["key"]),
    keyKnown: json["keyKnown"] === true,
    issuer: string(json["issuer"]),
    audiences: list(json["audiences"], string),
    subject: string(json["subject"]),
    issued: number(json["issued"]),
    notBefore: number(json["notBefore"]),
    expires: number(json["expires"]),
    claims: [...standard, ...others],
  };
}
