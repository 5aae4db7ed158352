/** The widget's parts, put together around one session. */
import { DEFAULT_LIMITS } from "../client/core/api";
import type { KeyValue } from "../client/core/ports";
import type { Whereabouts } from "../client/consumer/availability";
import type { ConsumerSession } from "../client/consumer/consumer-session";
import type { ConsumerState } from "../client/consumer/consumer-state";
import { thread, type Bubble } from "../client/conversation/thread";
import { h, set } from "../voice/ui/dom";
import { announcementOf } from "./conversation/announcement";
import { Composer } from "./composer/composer";
import { statusScreen, type StatusScreenActions } from "./frame/status-screen";
import { Header } from "./frame/header";
import type { Host } from "./frame/host";
import { lazyLinks } from "./conversation/lazy-links";
import { lazyPart, loadStyleSheet } from "./lazy-parts";
import { List } from "./conversation/list";
import { OfflineBanner } from "./frame/offline-banner";
import { isShown, laterRows } from "./conversation/rows";
import type { Row } from "./conversation/rows";
import { Players } from "./conversation/players";
import { strings } from "./strings";
import { dayOf, TimeFormat } from "./conversation/times";
import { WidgetRecorder } from "./composer/recorder";

/** How long after the widget was opened the recorder's code is prefetched. */
const PREPARE_AFTER_MS = 1500;

/** What the widget is started with. */
export interface AppOptions {
  readonly storage: KeyValue;
  readonly where: Whereabouts;
  /** The page around the widget turned voice messages off. */
  readonly voiceOff: boolean;
  readonly refused?: StatusScreenActions["refused"];
}

/** The widget. */
export class App {
  readonly #list: List;
  readonly #composer: Composer;
  readonly #recorder: WidgetRecorder;
  readonly #players: Players;
  /** Who is there, waiting, surveys and the menu: needed once the widget is open or a conversation has begun. */
  readonly #side = lazyPart(
    () => Promise.all([import("./contact-centre/contact-centre"), loadStyleSheet("contact-centre.css")]).then(
      ([{ ContactCentrePanel }]) => new ContactCentrePanel(
        this.#session,
        {
          ...this.#options,
          head: this.#header.closer,
          list: this.#list,
          recorder: this.#recorder,
          silent: () => this.#voiceOff,
        },
      )
    ),
    () => this.#render(),
  );
  readonly #header = new Header(() => this.#host?.tell({ close: true }));
  readonly #banner = new OfflineBanner(() => this.retryNow());
  readonly #aloud = h("div", { class: "aloud", role: "status", "aria-live": "polite" });
  readonly #statusBox = h("div", { class: "status-box" });
  readonly #foot = h("footer", { class: "foot" });
  #shownScreen = "";
  #host: Host | undefined;
  #open = false;
  #announcedTo: number | undefined;
  readonly #session: ConsumerSession;
  readonly #options: AppOptions;

  constructor(session: ConsumerSession, options: AppOptions) {
    this.#session = session;
    this.#options = options;
    this.#players = new Players(session, () => this.#list.element, options.storage);
    this.#list = new List({
      linked: lazyLinks(() => this.#render()),
      player: (row) => this.#players.create(row),
      updatePlayer: (element, row) => this.#players.update(element, row),
      times: new TimeFormat(),
      later: (row, element) => this.#side()?.row(row, element),
      again: (key) => session.again(key),
      discard: (key) => session.discard(key),
      textLimit: () => (this.#session.store.get().consumer?.limits ?? DEFAULT_LIMITS).text,
      older: () => session.older(),
      atEnd: () => this.#look(),
    });
    this.#composer = new Composer({
      send: (text) => session.say({ kind: "text", text }),
      record: () => void this.#record(),
      typing: (on) => session.typing(on),
      draft: (text) => (session.draft = text),
      announce: (text) => this.#announce(text),
    });
    this.#recorder = new WidgetRecorder({
      session,
      storage: options.storage,
      loadPlayer: () => this.#players.prepare(),
      limitMs: () => session.store.get().settings.audio.ms,
      off: () => this.#voiceOff !== undefined,
      announce: (text) => this.#announce(text), problem: (error) => this.#host?.tell({ error }),
      covers: (covers, focus) => this.#covered(covers, focus),
    });
    this.#build();
    session.store.subscribe(() => this.#render());
    this.#render();
  }

  /** Connects the page around. Without one the widget fills its own page and is always open. */
  attach(host: Host): void {
    this.#host = host;
    this.#header.closes(host.port !== undefined);
    if (!host.port) this.opened(true);
    this.#render();
  }

  /** The launcher opened or closed the widget. */
  opened(open: boolean): void {
    this.#open = open;
    if (open) {
      // On a phone the focus would open the keyboard over half of the conversation.
      if (matchMedia("(hover: hover)").matches) this.#composer.focus();
      this.#look();
      setTimeout(() => this.#recorder.prepare(), PREPARE_AFTER_MS);
    } else {
      // No open microphone and no playback while the widget is closed.
      this.#recorder.stopCapture();
      this.#players.stop();
    }
    this.#render();
  }

  /** The page is hidden or left. */
  hidden(gone: boolean): void {
    if (!gone) return this.#look();
    this.#recorder.stopCapture();
    this.#session.playbackProgress.flush();
  }

  /** The network is back. */
  retryNow(): void {
    this.#session.retryNow();
    this.#recorder.retryNow();
  }

  /** Whether a recording would be lost if the page closed now: this device stores nothing. */
  get unsafe(): boolean {
    return this.#recorder.unsafe;
  }

  #build(): void {
    this.#foot.append(this.#recorder.element, this.#composer.element);
    this.#list.element.append(this.#players.element);
    const parts = [this.#header, this.#banner, this.#list].map(({ element }) => element);
    document.body.append(h("div", { class: "app" }, ...parts, this.#statusBox, this.#foot, this.#aloud));
    document.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && !event.defaultPrevented) this.#host?.tell({ close: true });
    });
  }

  /**
   * Why voice messages are off, in words; `undefined` where they are on. Both the brand and the page around can turn
   * them off.
   */
  get #voiceOff(): string | undefined {
    const { on, why = "brand" } = this.#session.store.get().settings.audio;
    return this.#options.voiceOff ? strings.voiceOff.page : on ? undefined : strings.voiceOff[why];
  }

  async #record(): Promise<void> {
    // From now on the widget loads with every page, so that a recording survives navigation.
    this.#host?.tell({ started: true });
    if (await this.#composer.fetching(this.#recorder.record())) return;
    this.#composer.tell(strings.voiceFailed);
  }

  /** The recorder covers the composer, or no longer does. */
  #covered(covers: boolean, focus: boolean): void {
    set(this.#composer.element, { hidden: covers });
    if (focus) this.#composer.focusMic();
  }

  /** Marks what is in view as read. */
  #look(): void {
    const { loaded } = this.#session.store.get();
    if (loaded && this.#open && this.#list.atEnd && document.visibilityState === "visible") this.#session.seen();
  }

  #render(): void {
    const state = this.#session.store.get();
    const idle = state.timeline.status === "new" && !this.#open;
    const side = idle ? undefined : this.#side()?.words(state, () => this.#render());
    this.#renderBrand(state, side?.head);
    this.#renderStatus(state);
    this.#banner.update(state.phase === "ready" && state.link !== "online" && state.link !== "idle");
    const online = state.link === "online";
    const rows = thread(
      state.timeline,
      state.pending,
      { me: 1, online, assignments: true, dayOf, keyOf: this.#session.keyOf, others: laterRows },
    ).filter(isShown);
    if (state.loaded || rows.length > 0) this.#list.show(
      rows, { more: state.timeline.more, loadingOlder: state.loadingOlder },
    );
    this.#players.follow(rows);
    this.#list.showTyping(
      state.typing.length === 0 ? undefined : state.typing.map((by) => nameOf(state, by)), side?.line,
    );
    this.#renderNews(state, rows);
    this.#look();
  }

  #renderBrand(state: ConsumerState, head?: string): void {
    const { consumer, timeline } = state;
    if (!consumer) return;
    const { brand, limits } = consumer;
    if (this.#header.show(brand)) {
      this.#list.greet(brand.welcome || strings.welcome, brand.welcome === "" ? strings.hint : "");
      this.#composer.restore(this.#session.draft);
    }
    const { look } = this.#header;
    if (look !== undefined) this.#host?.tell({ look });
    this.#header.say(head ?? strings.status[timeline.status]);
    const off = this.#voiceOff;
    this.#composer.silence(off);
    // Turned off during a recording: what was recorded is kept, and can be played.
    if (off !== undefined) this.#recorder.stopCapture();
    this.#recorder.follow();
    this.#composer.configure(
      limits.text, timeline.status === "closed" ? strings.placeholderClosed : strings.placeholder,
    );
  }

  /** Starts over: nothing of the former conversation stays on this device. */
  #renew(): void {
    this.#players.wipe();
    void this.#session.renew();
  }

  #renderStatus({ phase, loaded, timeline }: ConsumerState): void {
    const shows = loaded || timeline.events.length > 0;
    const name = `${phase} ${shows}`;
    if (name === this.#shownScreen) return;
    this.#shownScreen = name;
    const actions = { retryNow: () => this.retryNow(), renew: () => this.#renew(), refused: this.#options.refused };
    const shown = statusScreen(phase, shows, actions);
    this.#statusBox.replaceChildren(...(shown ? [shown] : []));
    set(this.#statusBox, { hidden: !shown });
    set(this.#list.element, { hidden: shown !== undefined });
    set(this.#foot, { hidden: shown !== undefined && phase !== "starting" && phase !== "ready" });
  }

  /** Announces new messages to screen readers, and counts them for the launcher. */
  #renderNews(state: ConsumerState, rows: readonly Row[]): void {
    if (!state.loaded) return;
    const theirs = rows.filter((row): row is Bubble => row.row === "bubble" && !row.own);
    // Nothing is above `undefined`: what was there from the start is not announced.
    const known = this.#announcedTo as number;
    for (const bubble of theirs.filter(({ n }) => n > known)) this.#announce(announcementOf(bubble));
    const { events } = state.timeline;
    if (events.some(({ n, content }) => n > known && content.kind === "closed")) this.#announce(strings.closed);
    this.#announcedTo = state.timeline.cursor;
    // An invitation to a call is news, too, also once it was missed.
    const missed = events.filter(({ n, content }) => n > state.read && content.kind === "callInvited");
    this.#host?.tell({ unread: theirs.filter(({ n }) => n > state.read).length + missed.length });
    if (rows.length > 0) this.#host?.tell({ started: true });
  }

  #announce(text: string): void {
    this.#aloud.textContent = text;
  }
}

const nameOf = (state: ConsumerState, by: number): string =>
  state.timeline.people.find((person) => person.by === by)?.name ?? "";
