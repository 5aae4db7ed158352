/** The brand and its apps being edited: docs/protocol.md, section 1. The server decides what is allowed. */
import { HTTPProblem } from "../../../client/core/api";
import { isObject, type Json, list, string } from "../../../client/core/parse";
import { Store } from "../../../client/core/store";
import type { Ask } from "../settings-editor";
import { same } from "../settings-model";

/** What consumers see of the brand. */
export interface Brand {
  readonly id: string;
  readonly name: string;
  readonly color: string;
  /** Empty: the widget's own text. */
  readonly welcome: string;
  /** Where it is, or while it is not saved, the file itself as a `data:` address; empty where there is none. */
  readonly logo: string;
}

/** A site or an app of the brand. */
export interface App {
  readonly id: string;
  readonly name: string;
  /** The origins whose pages may embed the widget. */
  readonly origins: readonly string[];
  /** Which lower corner of the page the launcher is in: "right" or "left". */
  readonly side: string;
  /** What is drawn on the launcher, by its name in `BrandSettings.icons`. */
  readonly icon: string;
  /** Empty: the loader's own. */
  readonly label: string;
  /** The line of HTML for the brand's pages. */
  readonly line: string;
}

/** The brand with its apps. */
export interface BrandSettings {
  readonly brand: Brand;
  readonly apps: readonly App[];
  /** The launcher's icons by name, as SVG paths in a square of 24. */
  readonly icons: Readonly<Record<string, string>>;
}

interface State {
  readonly phase: "loading" | "ready" | "failed";
  readonly saved: BrandSettings | undefined;
  readonly draft: BrandSettings | undefined;
  readonly saving: boolean;
  readonly refused: { readonly code: string; readonly text: string } | undefined;
}

/** Loads the brand and its apps, keeps unsaved changes, and saves them. */
export class BrandEditor {
  readonly store = new Store<State>({
    phase: "loading",
    saved: undefined,
    draft: undefined,
    saving: false,
    refused: undefined,
  });

  constructor(private readonly ask: Ask) {}

  /** Fetches what is saved, unless it was changed here. */
  async load(): Promise<void> {
    if (this.isDirty) return;
    if (this.store.get().saved === undefined) this.store.set({ phase: "loading" });
    try {
      const saved = brandSettingsOf(await this.ask("GET", "/v1/brand"));
      if (!this.isDirty) this.store.set({ phase: "ready", saved, draft: saved });
    } catch {
      if (this.store.get().saved === undefined) this.store.set({ phase: "failed" });
    }
  }

  /** Whether something is not saved. */
  get isDirty(): boolean {
    const { saved, draft } = this.store.get();
    return !same(saved, draft);
  }

  /** Changes the brand in the draft. */
  change(patch: Partial<Brand>): void {
    const { draft } = this.store.get();
    if (draft) this.store.set({ draft: { ...draft, brand: { ...draft.brand, ...patch } }, refused: undefined });
  }

  /** Changes an app in the draft. */
  changeApp(id: string, patch: Partial<Omit<App, "id">>): void {
    const { draft } = this.store.get();
    if (draft === undefined) return;
    const apps = draft.apps.map((app) => app.id === id ? { ...app, ...patch } : app);
    this.store.set({ draft: { ...draft, apps }, refused: undefined });
  }

  /** Drops what is not saved. */
  discard(): void {
    this.store.set({ draft: this.store.get().saved, refused: undefined });
  }

  /** Sends what differs, and nothing else: what another manager changed elsewhere stays. True if all was saved. */
  async save(): Promise<boolean> {
    const { draft, saved, saving } = this.store.get();
    if (draft === undefined || saved === undefined || saving) return false;
    this.store.set({ saving: true, refused: undefined });
    try {
      const brand = changes(saved.brand, draft.brand);
      if (brand) this.#saved({ brand: brandOf((await this.ask("PATCH", "/v1/brand", brand))["brand"]) });
      for (const app of draft.apps) await this.#saveApp(app);
      this.store.set({ saving: false });
      return true;
    } catch (error) {
      const { code, message } = error instanceof HTTPProblem ? error : new HTTPProblem(0, "network", "");
      this.store.set({ saving: false, refused: { code, text: message } });
      return false;
    }
  }

  /** Lets a website embed an app, at once and without the other changes. True if it was saved. */
  async allow(id: string, origin: string): Promise<boolean> {
    const before = this.store.get().saved?.apps.find((app) => app.id === id);
    if (before === undefined) return false;
    const add = (app: App): App =>
      app.id !== id || app.origins.includes(origin) ? app : { ...app, origins: [...app.origins, origin] };
    try {
      await this.ask("PATCH", `/v1/apps/${encodeURIComponent(id)}`, { origins: add(before).origins });
    } catch {
      return false;
    }
    const { saved, draft } = this.store.get();
    if (saved && draft) this.store.set({
      saved: { ...saved, apps: saved.apps.map(add) }, draft: { ...draft, apps: draft.apps.map(add) },
    });
    return true;
  }

  async #saveApp(app: App): Promise<void> {
    const before = this.store.get().saved?.apps.find(({ id }) => id === app.id);
    const patch = before && changes(before, app);
    if (patch === undefined) return;
    const now = appOf((await this.ask("PATCH", `/v1/apps/${encodeURIComponent(app.id)}`, patch))["app"]) ?? app;
    this.#saved({ apps: this.store.get().saved?.apps.map((one) => one.id === now.id ? now : one) ?? [] });
  }

  /** The server stored a part: that part of the draft is no longer a change. */
  #saved(part: Partial<BrandSettings>): void {
    const { saved, draft } = this.store.get();
    if (saved && draft) this.store.set({ saved: { ...saved, ...part }, draft: { ...draft, ...merged(draft, part) } });
  }
}

/** The stored part of a draft; apps that were not stored yet keep their changes. */
function merged({ apps }: BrandSettings, { brand, apps: stored }: Partial<BrandSettings>): Partial<BrandSettings> {
  if (brand) return { brand };
  return { apps: apps.map((app) => stored?.find((one) => one.id === app.id && same(one, app)) ?? app) };
}

/** The fields that differ; `undefined` where none does. */
function changes<T extends object>(before: T, now: T): Partial<T> | undefined {
  const pairs = (Object.keys(now) as (keyof T)[]).filter((key) => !same(before[key], now[key]));
  return pairs.length === 0 ? undefined : Object.fromEntries(pairs.map((key) => [key, now[key]])) as Partial<T>;
}

/** Whether browsers keep the microphone from pages of this origin: neither https nor this very computer. */
export function isInsecure(origin: string): boolean {
  return /^http:\/\/(?!(localhost|127\.0\.0\.1|[^:/]+\.localhost|\[::1\])(:|$))/u.test(origin);
}

/** What was typed as an origin: without path, in lower case, and with `https` where no scheme was typed. */
export function originOf(text: string): string {
  try {
    const { origin, protocol } = new URL(text.includes("://") ? text : `https://${text}`);
    return protocol === "https:" || protocol === "http:" ? origin : text;
  } catch {
    return text;
  }
}

function brandSettingsOf(v: Json): BrandSettings {
  const icons = Object.entries(isObject(v["icons"]) ? v["icons"] : {})
    .filter((one): one is [string, string] => typeof one[1] === "string");
  return { brand: brandOf(v["brand"]), apps: list(v["apps"], appOf), icons: Object.fromEntries(icons) };
}

function brandOf(v: unknown): Brand {
  const b = isObject(v) ? v : {};
  const text = (field: string): string => string(b[field]) ?? "";
  return { id: text("id"), name: text("name"), color: text("color"), welcome: text("welcome"), logo: text("logo") };
}

function appOf(v: unknown): App | undefined {
  const id = isObject(v) ? string(v["id"]) : undefined;
  if (!isObject(v) || id === undefined) return undefined;
  return {
    id,
    name: string(v["name"]) ?? "",
    origins: list(v["origins"], string),
    side: string(v["side"]) ?? "right",
    icon: string(v["icon"]) ?? "chat",
    label: string(v["label"]) ?? "",
    line: string(v["line"]) ?? "",
  };
}
