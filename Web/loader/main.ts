/**
 * The script that a brand puts on its pages:
 *   <script src="https://host/embed/ACCOUNT/APP.js" async></script>
 * The server writes the app's settings in front of it, as defaults of the element's data attributes; `/loader.js` is
 * the script without them, for pages that write data-account and data-app themselves.
 *
 * A button. Its iframe loads when it is first opened, or soon after the page where a conversation has started, so that
 * the conversation survives navigation. Optional: data-color, data-side="left", data-theme, data-label,
 * data-enable-audio-sharing="false" (no voice messages from this page), data-page-parameters="campaign,article" (these
 * parameters of the page's address may leave the page). With data-wait="true", or without an account, the page starts
 * the widget with Earshot.init({ enableAudioSharing: false, … }).
 *
 * Earshot.identify(source) opens the conversation of the person who is signed in on the page: `source` returns a fresh
 * ID token, or a promise of one. An empty answer means that nobody is signed in: then the conversation is anonymous,
 * unless { required: true } follows. Where `source` fails, it is called again later. Earshot.signOut() closes the
 * conversation and erases what it left on this device.
 */
import css from "./loader.css";

/** A message from the widget. All but `close` is stored for the brand's next page. */
interface Said {
  close?: boolean;
  /** What is wrong with the page, for the person who built it. */
  error?: string;
  /** The widget asks for an ID token. */
  idToken?: 1;
  unread?: number;
  /** The button's style: --0 its ground, --1 its ink, --2 the shape of its icon. */
  look?: string;
  /** A conversation has started: from now on the widget loads automatically. */
  started?: boolean;
}

/** The `data-…` attributes of the script, or what the page passes to `init`. */
interface Options {
  account: string;
  app: string;
  /** Replaces the brand's; the icon is white on it. */
  color?: string;
  /** As in `Said`. The server writes it. */
  look?: string;
  side?: string;
  theme?: string;
  label?: string;
  enableAudioSharing?: boolean | string;
  /** Names with commas between them. */
  pageParameters?: string;
}

/** What the page calls. */
interface Earshot {
  /** Returns an ID token of the person who is signed in on the page. */
  user?: (() => unknown) | undefined;
  /** Whether the page signed someone in ("in"; "must" where nobody else may write) or out ("out"). */
  area: string;
  /** Loads the widget again. Set by `init`. */
  load?(): void;
  init(options?: Partial<Options>): void;
  identify(source?: () => unknown, options?: { required?: boolean }): void;
  signOut(): void;
}

const doc = document;
const script = doc.currentScript as HTMLScriptElement;
const { origin } = new URL(script.src);
const init = (options: Options, earshot: Earshot): void => {
  const { account, app, color, look, side, label = "Messages", pageParameters = "" } = options;
  const place = `earshot.${account}.${app}`;
  const root = doc.createElement("div");
  const shadow = root.attachShadow({ mode: "open" });
  const button = doc.createElement("button");
  const badge = doc.createElement("span");
  const sheet = new CSSStyleSheet();
  let frame: HTMLIFrameElement | undefined;
  let port: MessagePort | undefined;
  let known: Said & { open?: boolean } = {};

  const hear = (said: Said & { open?: boolean }): void => {
    const { unread, look: told } = Object.assign(known, said);
    badge.textContent = (unread || "") as string;
    button.title = button.ariaLabel = label + (unread ? ` (${unread})` : "");
    root.style.cssText = [look || told, color && "--1:#fff;--0:" + color].join(";");
    if (said.close) show(false);
    try {
      localStorage[place] = JSON.stringify(known);
    } catch {
      // Blocked: the next page begins with the button alone.
    }
  };
  const load = (): void => {
    frame?.remove();
    const made = frame = doc.createElement("iframe");
    made.title = label;
    made.allow = "microphone; autoplay; camera";
    made.onload = () => {
      const channel = new MessageChannel();
      // Fragments and parameters hold e-mail addresses and secrets. Only the parameters that the brand names leave.
      const named = [...new URLSearchParams(location.search)].filter(
        ([name]) => pageParameters.split(",").includes(name)
      );
      port = channel.port1;
      port.onmessage = async ({ data }: MessageEvent<Said>) => {
        if (data.error) return console.error(data.error);
        if (!data.idToken) return hear(data);
        let token: unknown;
        try {
          token = "" + (await earshot.user!() || "");
        } finally {
          // Where the page fails, the widget asks again later. The page's error is in its console.
          port!.postMessage(token);
        }
      };
      made.contentWindow!.postMessage([location.origin + location.pathname, named], origin, [channel.port2]);
      port.postMessage(known.open);
    };
    // By account, app and origin the server decides who may frame the page, and tells other pages why not.
    // The rest is in the fragment.
    const named = new URLSearchParams({ account, app, from: location.origin });
    made.src = `${origin}/widget/?${named}#${new URLSearchParams({
      ...options as object, dir: getComputedStyle(root).direction, area: earshot.area,
    })}`;
    shadow.append(made);
  };

  earshot.load = load;

  const show = (open: boolean, focus = true): void => {
    if (!frame) load();
    root.toggleAttribute("open", open);
    button.ariaExpanded = open as unknown as string;
    hear({ open });
    port?.postMessage(open);
    if (focus) (open ? frame : button)?.focus();
  };

  sheet.replaceSync(css);
  shadow.adoptedStyleSheets = [sheet];
  button.append(badge);
  shadow.append(button);
  doc.documentElement.append(root);
  root.dataset["side"] = side;
  button.onclick = () => show(!known.open);
  addEventListener("keydown", (event) => event.key == "Escape" && known.open && show(false));
  try {
    known = JSON.parse(localStorage[place]) as Said;
  } catch {
    // Nothing was stored, or see above.
  }
  // On a phone the open widget covers the page: there it waits for a tap.
  hear({ open: known.open! && innerWidth > 480 });
  if (known.open) show(true, false);
  else if (known.started) setTimeout(() => frame || load(), 1000);
};

const start = (earshot: Earshot): void => {
  (window as unknown as { Earshot: Earshot }).Earshot = earshot;
  if (script.dataset["account"] && !script.dataset["wait"]) earshot.init();
};

start({
  area: "",
  init(options) {
    init({ ...script.dataset, ...options } as Options, this);
  },
  identify(source, options) {
    this.user = source;
    this.area = source ? options?.required ? "must" : "in" : "out";
    this.load?.();
  },
  signOut() {
    this.identify();
  },
});

export {};
