/**
 * The contact-centre settings that an agent's work needs (docs/protocol.md section 7), and the brand's people.
 * Refreshed when the server announces a new version.
 */
import { parseAgents, type Colleague } from "./agent-api";
import { call, type Fetch } from "../core/api";
import { compact, isObject, list, number, string } from "../core/parse";
import { Store } from "../core/store";

/** A skill that conversations need and agents have. */
export interface Skill {
  readonly id: string;
  readonly name: string;
  /** Whether closing asks what it was about. */
  readonly disposition: "off" | "optional" | "required";
  readonly survey: boolean;
}

/** A canned reply. `clip`: the same reply, recorded. */
export interface Canned {
  readonly id: string;
  readonly shortcut: string;
  readonly title: string;
  readonly skill?: string;
  readonly language?: string;
  readonly text: string;
  readonly clip?: { readonly media: string; readonly ms: number };
}

/** A wrap-up code. */
export interface Disposition {
  readonly id: string;
  readonly name: string;
  readonly skill?: string;
}

/** An attribute that agents set on a conversation. */
export interface Attribute {
  readonly id: string;
  readonly name: string;
  readonly type: "text" | "number" | "yesNo" | "date";
}

/** The settings of version `v`. */
export interface ContactCentre {
  readonly v: number;
  readonly skills: readonly Skill[];
  readonly awayReasons: readonly string[];
  readonly canned: readonly Canned[];
  readonly dispositions: readonly Disposition[];
  readonly tags: readonly string[];
  readonly attributes: readonly Attribute[];
}

/** What is loaded so far. */
export interface ContactCentreState {
  readonly centre: ContactCentre | undefined;
  readonly agents: readonly Colleague[];
}

/** Holds the contact centre. What could not be loaded is requested again with the next version. */
export class ContactCentreStore {
  readonly store = new Store<ContactCentreState>({ centre: undefined, agents: [] });
  readonly #fetch: Fetch;

  constructor(fetch: Fetch) {
    this.#fetch = fetch;
  }

  /** Loads the contact centre, unless version `v` is already here. */
  async refresh(v: number): Promise<void> {
    const { centre } = this.store.get();
    if (centre !== undefined && centre.v >= v) return;
    const [settings, agents] = await Promise.all(
      [call(this.#fetch, "GET", "/v1/centre", {}), call(this.#fetch, "GET", "/v1/agents", {})]
    ).catch(() => []);
    if (settings !== undefined && agents !== undefined) this.store.set(
      { centre: parseContactCentre(settings), agents: parseAgents(agents) }
    );
  }
}

/** Reads the settings; missing parts are empty. */
export function parseContactCentre(v: unknown): ContactCentre {
  const c = isObject(v) ? v : {};
  const [silence, wrapUp] = [c["silence"], c["wrapUp"]].map((part) => (isObject(part) ? part : {}));
  return {
    v: number(c["v"]) ?? 0,
    skills: list(c["skills"], parseSkill),
    awayReasons: list(silence?.["awayReasons"], string),
    canned: list(c["canned"], parseCanned),
    dispositions: list(wrapUp?.["dispositions"], parseDisposition),
    tags: list(wrapUp?.["tags"], string),
    attributes: list(wrapUp?.["attributes"], parseAttribute),
  };
}

function parseSkill(v: unknown): Skill | undefined {
  const named = parseNamed(v);
  if (named === undefined || !isObject(v)) return undefined;
  const asks = v["disposition"];
  return {
    ...named, disposition: asks === "required" || asks === "optional" ? asks : "off", survey: v["survey"] === true,
  };
}

function parseCanned(v: unknown): Canned | undefined {
  if (!isObject(v)) return undefined;
  const [id, text, clip] = [string(v["id"]), string(v["text"]), isObject(v["clip"]) ? v["clip"] : {}];
  if (id === undefined || text === undefined) return undefined;
  const media = string(clip["media"]);
  return compact<Canned>({
    id, text, shortcut: string(v["shortcut"]) ?? "", title: string(v["title"])
      ?? "", skill: string(v["skill"]), language: string(v["language"]),
    clip: media === undefined ? undefined : { media, ms: number(clip["ms"]) ?? 0 },
  });
}

function parseDisposition(v: unknown): Disposition | undefined {
  const named = parseNamed(v);
  return named && isObject(v) ? compact<Disposition>({ ...named, skill: string(v["skill"]) }) : undefined;
}

function parseAttribute(v: unknown): Attribute | undefined {
  const named = parseNamed(v);
  const type = isObject(v) ? v["type"] : undefined;
  return named && { ...named, type: type === "number" || type === "yesNo" || type === "date" ? type : "text" };
}

function parseNamed(v: unknown): { id: string; name: string } | undefined {
  if (!isObject(v)) return undefined;
  const id = string(v["id"]);
  return id === undefined ? undefined : { id, name: string(v["name"]) ?? id };
}
