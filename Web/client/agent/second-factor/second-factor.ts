/** The second factor of the person who is signed in: docs/protocol.md, section 1. */
import { call, type Fetch } from "../../core/api";
import { isObject, list, number, string } from "../../core/parse";
import { type Answer, ask, proof } from "../sign-in";

/** What a person sees of the own second factor. */
export interface SecondFactor {
  readonly on: boolean;
  /** The brand requires one. */
  readonly required: boolean;
  /** How many recovery codes are left. */
  readonly recoveryCodes: number;
}

/** A set-up that has begun. */
export interface SecondFactorSetUp {
  /** The secret in base 32, to type by hand. */
  readonly secret: string;
  /** The link that opens an authenticator app. */
  readonly link: string;
  /** What goes back to the server with the first code. */
  readonly setUp: string;
  /** The link as a QR code: modules on each side, and the dark ones as an SVG path. */
  readonly qr?: { readonly size: number; readonly path: string };
}

/** Reads the own second factor. */
export function secondFactor(fetch: Fetch): Promise<Answer<SecondFactor>> {
  return ask(
    ({ on, required, recoveryCodes }) => {
      if (typeof on !== "boolean") return undefined;
      return { on, required: required === true, recoveryCodes: number(recoveryCodes) ?? 0 };
    },
    () => call(fetch, "GET", "/v1/second-factor", {}),
  );
}

/** Begins a set-up. Nothing changes until it is confirmed. */
export function beginSetUp(fetch: Fetch, csrf: string): Promise<Answer<SecondFactorSetUp>> {
  return ask((json) => {
    const [secret, link, setUp] = [string(json["secret"]), string(json["link"]), string(json["setUp"])];
    if (secret === undefined || link === undefined || setUp === undefined) return undefined;
    const [size, path] = isObject(json["qr"]) ? [number(json["qr"]["size"]), string(json["qr"]["path"])] : [];
    return { secret, link, setUp, ...(size === undefined || path === undefined ? {} : { qr: { size, path } }) };
  }, () => call(fetch, "POST", "/v1/second-factor/set-up", proof(csrf)));
}

/** Ends a set-up with the first code of the app. Returns the recovery codes, which the server shows once. */
export function confirmSetUp(
  fetch: Fetch,
  csrf: string,
  setUp: string,
  code: string,
): Promise<Answer<readonly string[]>> {
  return ask(
    (json) => list(json["recoveryCodes"], string),
    () => call(fetch, "POST", "/v1/second-factor", proof(csrf), { setUp, code: typedCode(code) }),
  );
}

/** Turns the own second factor off. */
export function turnOff(fetch: Fetch, csrf: string, password: string, code: string): Promise<Answer<true>> {
  return ask(
    () => true,
    () => call(fetch, "POST", "/v1/second-factor/removal", proof(csrf), { password, code: typedCode(code) }),
  );
}

/** A code as the server takes it: apps show spaces in the middle. */
export function typedCode(code: string): string {
  return code.replace(/\s/gu, "");
}
