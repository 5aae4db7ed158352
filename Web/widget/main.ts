/** Starts the widget: who is the brand, who is around us, then the session. */
import { browserStore, openSocket, systemClock } from "../client/core/browser";
import { ConsumerSession } from "../client/consumer/consumer-session";
import type { ConsumerOptions } from "../client/consumer/consumer-state";
import { EncryptedValues } from "../voice/storage/encrypted-values";
import { App } from "./app";
import { findHost } from "./frame/host";

async function main(): Promise<void> {
  const asked = new URLSearchParams(`${location.search}&${location.hash.slice(1)}`);
  dress(asked);
  let app: App | undefined;
  let open = false;
  const [account, app_] = [asked.get("account") ?? "demo", asked.get("app") ?? "shop"];
  const [storage, host] = await Promise.all([
    EncryptedValues.open(`earshot.${account}.${app_}.`, browserStore()),
    findHost({
      opened: (now) => {
        open = now;
        app?.opened(now);
      },
    }),
  ]);
  const options: ConsumerOptions = {
    account,
    app: app_,
    page: host.page,
    pageParameters: host.pageParameters,
    language: navigator.language,
    zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    fetch: (url, init) => fetch(url, init),
    socket: openSocket,
    storage,
    clock: systemClock,
    random: Math.random,
  };
  const area = asked.get("area");
  const signIn = area ? await (await import("./signed-in")).enter(area, options, host) : undefined;
  const own = { ...options, ...signIn };
  const session = new ConsumerSession(own);
  signIn?.attach(session);
  const voiceOff = asked.get("enableAudioSharing") === "false";
  app = new App(session, { storage: own.storage, where: options, voiceOff, refused: signIn?.refused });
  app.attach(host);
  if (open) app.opened(true);
  watchPage(app);
  await session.start();
}

/** Theme, language and direction, as the page around has them. */
function dress(asked: URLSearchParams): void {
  const root = document.documentElement;
  const theme = asked.get("theme");
  if (theme) root.dataset["theme"] = theme;
  root.dir = asked.get("dir") ?? "";
}

function watchPage(app: App): void {
  addEventListener("online", () => app.retryNow());
  document.addEventListener("visibilitychange", () => {
    app.hidden(false);
    if (document.visibilityState === "visible") app.retryNow();
  });
  addEventListener("pagehide", () => app.hidden(true));
  addEventListener("beforeunload", (event) => {
    if (app.unsafe) event.preventDefault();
  });
}

void main();
