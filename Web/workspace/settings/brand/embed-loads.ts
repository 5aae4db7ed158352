/** The pages that loaded the widget, as the server saw them: docs/protocol.md, `GET /v1/brand/embeds`. Pure. */
import { isObject, type Json, list, number, string } from "../../../client/core/parse";

/** A page that loaded the script or the widget, or was refused. */
export interface EmbedLoad {
  /** The App ID that the page named. */
  readonly app: string;
  readonly origin: string;
  readonly part: "script" | "widget";
  /** How long ago. */
  readonly seconds: number;
  /** Why it was refused; `undefined` where it was all right. */
  readonly code: string | undefined;
  readonly text: string;
}

/** Parses the server's answer. */
export function parseLoads(json: Json): readonly EmbedLoad[] {
  return list(json["embeds"], (v) => {
    if (!isObject(v)) return undefined;
    const [app, origin, seconds] = [string(v["app"]), string(v["origin"]), number(v["seconds"])];
    if (app === undefined || origin === undefined || seconds === undefined) return undefined;
    const part = v["part"] === "widget" ? "widget" : "script";
    return { app, origin, part, seconds, code: string(v["code"]), text: string(v["text"]) ?? "" };
  });
}

/**
 * What concerns an app: its own loads, and those with an App ID that does not exist. One for each page: the latest, and
 * of two at the same time the widget's, which proves more.
 */
export function loadsOf(app: string, loads: readonly EmbedLoad[], most: number): readonly EmbedLoad[] {
  const own = loads.filter((load) => load.app === app || load.code === "not_found");
  const latest = own.filter((load, at) => own.findIndex(({ origin }) => origin === load.origin) === at);
  return latest.map((load) => {
    const same = (one: EmbedLoad): boolean =>
      one.origin === load.origin && one.app === load.app && one.code === load.code;
    return load.part === "script" && load.code === undefined ? own.find((one) => same(one) && one.part === "widget" &&
      one.seconds <= load.seconds + SAME_VISIT_SECONDS) ?? load : load;
  }).slice(0, most);
}

/** A visitor who goes from page to page loads the script again, and the widget only once. */
const SAME_VISIT_SECONDS = 600;

/** The address that was typed, to be opened; `undefined` for what is no web address. */
export function pageOf(typed: string): URL | undefined {
  try {
    const address = new URL(typed.includes("://") ? typed : `https://${typed}`);
    return /^https?:$/u.test(address.protocol) && /^(localhost|\[.*\]|.+\..+)$/u.test(address.hostname)
      ? address : undefined;
  } catch {
    return undefined;
  }
}

/** How long ago in the unit in which it is best said. */
export function ageOf(seconds: number): readonly ["s" | "min" | "h", number] {
  if (seconds < 60) return ["s", seconds];
  return seconds < 3600 ? ["min", Math.floor(seconds / 60)] : ["h", Math.floor(seconds / 3600)];
}
