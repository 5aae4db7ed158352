/** The settings being edited: saved values, unsaved drafts, and the server's answers. */
import { HTTPProblem } from "../../client/core/api";
import type { Json } from "../../client/core/parse";
import { list } from "../../client/core/parse";
import { Store } from "../../client/core/store";
import type { Clock, TimerID } from "../../client/core/ports";
import { fieldsOf, problemOf, storedDrafts } from "./drafts";
import { checkPrivacy, checkVoice, numberProblems, type Problem } from "./validation";
import { PasswordLinks } from "./people/password-links";
import { hasLink, type Person, personOf, type PersonPatch } from "./people/person";
import {
  type Centre, isSection, type MessageSettings, messagesOf, type Privacy, same, type Section, type Sections,
} from "./settings-model";

/** A section of the centre, or of the settings for messages. */
export type EditableSection = Section | keyof MessageSettings;
export interface EditableSections extends Sections, MessageSettings {}

/** An unsaved value. `base` was the saved value, at version `v`, when editing started. */
export interface Draft {
  readonly v: number;
  readonly base: unknown;
  readonly value: unknown;
}

export interface SettingsState {
  readonly phase: "loading" | "ready" | "failed";
  readonly centre: Centre | undefined;
  readonly messages: MessageSettings | undefined;
  readonly people: readonly Person[];
  readonly drafts: Readonly<Partial<Record<EditableSection, Draft>>>;
  /** The new item that the person is still filling in: what it lacks is not wrong yet. */
  readonly fresh: string | undefined;
  /** What the server said is wrong with the drafts. */
  readonly problems: Readonly<Partial<Record<EditableSection, readonly Problem[]>>>;
  readonly saving: EditableSection | undefined;
  /** The change that the server refused. */
  readonly refused: { readonly part: EditableSection; readonly code: string; readonly text: string } | undefined;
  /** The person's last saved change, with the version that Undo reverts: settings for messages have none. */
  readonly saved: { readonly part: EditableSection; readonly v: number | undefined } | undefined;
}

/** Asks the server; throws `HTTPProblem`. */
export type Ask = (method: string, path: string, body?: object) => Promise<Json>;

/** Stores drafts so that they survive a reload. */
export interface DraftStorage {
  load(): string | null;
  save(text: string): void;
}

/** How long after the last change a draft is checked. */
const CHECK_DELAY_MS = 400;

export class SettingsEditor {
  readonly store: Store<SettingsState>;
  /** Makes and revokes the links with which people set a password. */
  readonly links: PasswordLinks;

  /** Per section: the number of the newest check, and the timer of the next one. */
  private readonly checks = new Map<EditableSection, { newest: number; timer: TimerID | undefined }>();

  constructor(private readonly ask: Ask, private readonly keeper: DraftStorage, private readonly clock: Clock) {
    this.store = new Store<SettingsState>({
      phase: "loading",
      centre: undefined,
      messages: undefined,
      people: [],
      drafts: storedDrafts(keeper.load()),
      fresh: undefined,
      problems: {},
      saving: undefined,
      refused: undefined,
      saved: undefined,
    });
    this.links = new PasswordLinks(ask, () => this.reloadPeople());
  }

  /** Fetches the saved settings. Drafts stay; `isStale` tells whether they are based on older values. */
  async load(): Promise<void> {
    try {
      const [centre, settings, people] = await Promise.all([
        this.ask("GET", "/v1/centre"),
        this.ask("GET", "/v1/settings"),
        this.ask("GET", "/v1/agents"),
      ]);
      this.apply(centre);
      this.store.set({ phase: "ready", messages: messagesOf(settings), people: list(people["agents"], personOf) });
    } catch {
      if (this.store.get().centre === undefined) this.store.set({ phase: "failed" });
    }
  }

  /** Fetches version `v` unless it is loaded already. */
  async loadVersion(v: number): Promise<void> {
    const { centre } = this.store.get();
    if (centre !== undefined && v > centre.v) this.apply(await this.ask("GET", "/v1/centre").catch(() => undefined));
  }

  change<P extends EditableSection>(part: P, value: EditableSections[P]): void {
    const { drafts, centre } = this.store.get();
    const inForce = this.inForce(part);
    const draft = drafts[part] ?? { v: centre?.v ?? 0, base: inForce, value };
    const isOld = same(value, draft.base) && same(draft.base, inForce);
    this.saveDrafts({ ...drafts, [part]: isOld ? undefined : { ...draft, value } });
    this.store.set({ refused: undefined, saved: undefined });
    this.scheduleCheck(part);
  }

  discard(part: EditableSection): void {
    this.saveDrafts({ ...this.store.get().drafts, [part]: undefined });
    this.store.set({ refused: undefined });
    this.show(part, []);
  }

  /** The draft of a section, or its saved value. */
  value<P extends EditableSection>(part: P): EditableSections[P] {
    const draft = this.store.get().drafts[part];
    return (draft ? draft.value : this.inForce(part)) as EditableSections[P];
  }

  inForce(part: EditableSection): unknown {
    const { centre, messages } = this.store.get();
    return isSection(part) ? centre?.[part] : messages?.[part];
  }

  /** True if someone else changed the section since this draft was started. */
  isStale(part: EditableSection): boolean {
    const draft = this.store.get().drafts[part];
    return draft !== undefined && isSection(part) && !same(draft.base, this.inForce(part));
  }

  /** Begins or ends filling in a new item. */
  fillIn(fresh: string | undefined): void {
    if (this.store.get().fresh !== fresh) this.store.set({ fresh });
  }

  /** Everything that is known to be wrong with a section's draft, without the new item that is being filled in. */
  problems(part: EditableSection): readonly Problem[] {
    const { fresh } = this.store.get();
    return this.allProblems(part).filter(({ at }) => fresh === undefined || !`${at}.`.startsWith(`${fresh}.`));
  }

  private allProblems(part: EditableSection): readonly Problem[] {
    const { drafts, problems } = this.store.get();
    const draft = drafts[part];
    if (draft === undefined) return [];
    const unsendable = numberProblems(draft.value);
    if (unsendable.length > 0) return unsendable;
    if (part === "voice") return checkVoice(this.value("voice"));
    return part === "privacy" ? checkPrivacy(this.value("privacy")) : problems[part] ?? [];
  }

  /**
   * Asks the server what is wrong with a section's draft. An answer that a newer question overtook is ignored, and so
   * is a failed connection: then the server decides when the draft is saved.
   */
  async validateSection(part: EditableSection): Promise<readonly Problem[]> {
    const draft = this.store.get().drafts[part];
    const newest = this.dropCheck(part);
    if (draft === undefined || !isSection(part) || numberProblems(draft.value).length > 0) return this.problems(part);
    const path = `/v1/centre/${part}?validate=1`;
    const refusal = await this.ask("PUT", path, { v: draft.v, value: draft.value }).then(() => undefined, problemOf);
    if (this.checks.get(part)?.newest === newest) this.show(part, fieldsOf(part, draft.value, refusal));
    return this.problems(part);
  }

  /** Checks a draft a moment after the last key. */
  private scheduleCheck(part: EditableSection): void {
    const newest = this.dropCheck(part);
    const timer = this.clock.after(CHECK_DELAY_MS, () => void this.validateSection(part));
    this.checks.set(part, { newest, timer });
  }

  /** Forgets the check that is planned or under way. Returns the number of the next one. */
  private dropCheck(part: EditableSection): number {
    const { newest, timer } = this.checks.get(part) ?? { newest: 0, timer: undefined };
    if (timer !== undefined) this.clock.cancel(timer);
    this.checks.set(part, { newest: newest + 1, timer: undefined });
    return newest + 1;
  }

  private show(part: EditableSection, problems: readonly Problem[]): void {
    this.store.set({ problems: { ...this.store.get().problems, [part]: problems } });
  }

  /** Saves a draft; `over` also overwrites newer changes by others. True if it was saved. */
  async save(part: EditableSection, over = false): Promise<boolean> {
    const { drafts, centre } = this.store.get();
    const draft = drafts[part];
    if (draft === undefined) return true;
    this.fillIn(undefined);
    this.dropCheck(part);
    if (numberProblems(draft.value).length > 0 || (!isSection(part) && this.problems(part).length > 0)) return false;
    this.store.set({ saving: part, refused: undefined });
    try {
      if (isSection(part)) {
        const v = over ? centre?.v ?? 0 : draft.v;
        this.apply(await this.ask("PUT", `/v1/centre/${part}`, { v, value: draft.value }));
      } else {
        const patch = part === "privacy"
          ? draft.value as Privacy
          : { [part === "voice" ? "audio" : part]: draft.value };
        this.store.set({ messages: messagesOf(await this.ask("PATCH", "/v1/settings", patch)) });
      }
      this.saveDrafts({ ...this.store.get().drafts, [part]: undefined });
      this.show(part, []);
      this.store.set({
        saving: undefined,
        saved: { part, v: isSection(part) ? this.store.get().centre?.v ?? 0 : undefined },
      });
      return true;
    } catch (error) {
      await this.refused(part, draft.value, problemOf(error));
      return false;
    }
  }

  /** Undoes revision `v`. Returns why it was refused. */
  async undo(v: number): Promise<HTTPProblem | undefined> {
    try {
      this.apply(await this.ask("POST", "/v1/centre/undo", { v }));
      this.store.set({ saved: undefined });
      return undefined;
    } catch (error) {
      return problemOf(error);
    }
  }

  /** Fetches the people again; keeps the old list if that fails. */
  async reloadPeople(): Promise<void> {
    const people = await this.ask("GET", "/v1/agents").catch(() => undefined);
    if (people !== undefined) this.store.set({ people: list(people["agents"], personOf) });
  }

  /** Changes a person immediately. Returns the error code of a refusal. */
  async changePerson(id: string, patch: PersonPatch): Promise<string | undefined> {
    try {
      const now = personOf((await this.ask("PATCH", `/v1/agents/${encodeURIComponent(id)}`, patch))["agent"]);
      if (now !== undefined) {
        const { people } = this.store.get();
        this.store.set({ people: people.map((one) => (one.id === id ? now : one)) });
        if (people.some((one) => one.id === id && hasLink(one))) await this.reloadPeople();
      }
      return undefined;
    } catch (error) {
      const code = error instanceof HTTPProblem ? error.code : "network";
      if (code === "not_found") await this.reloadPeople();
      return code;
    }
  }

  private async refused(part: EditableSection, value: unknown, refusal: HTTPProblem): Promise<void> {
    if (refusal.code === "stale") this.apply(await this.ask("GET", "/v1/centre").catch(() => undefined));
    const problems = fieldsOf(part, value, refusal);
    this.show(part, problems);
    const refused = problems.length > 0 ? undefined : { part, code: refusal.code, text: refusal.message };
    this.store.set({ saving: undefined, refused });
  }

  private apply(centre: Json | undefined): void {
    const held = this.store.get().centre;
    if (centre === undefined || typeof centre["v"] !== "number" || (held !== undefined && centre["v"] < held.v)) return;
    this.store.set({ centre: centre as unknown as Centre });
  }

  private saveDrafts(drafts: SettingsState["drafts"]): void {
    const left = Object.fromEntries(Object.entries(drafts).filter(([, draft]) => draft !== undefined));
    this.store.set({ drafts: left });
    this.keeper.save(JSON.stringify(left));
  }
}
