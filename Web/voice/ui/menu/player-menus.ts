/** The player's two menus: playback speed, and more options. */
import { DownloadRefused } from "../../play/download";
import { playerIcon } from "../icons";
import type { PlayerStrings } from "../player-strings";
import { popup } from "./popup";
import type { PopupItem } from "./popup";
import { RATES, type PlaybackPreferences } from "../../play/playback-preferences";
import type { Shown } from "../../play/voice-message";

/** Opens the menu of playback speeds. */
export function speedMenu(button: HTMLElement, s: PlayerStrings, preferences: PlaybackPreferences): void {
  const rates = RATES.map((rate): PopupItem => ({
    kind: "radio", label: `${rate}×`, checked: rate === preferences.rate, mark: playerIcon("check"), run: () => (
      preferences.rate = rate
    ),
  }));
  const cut: PopupItem = {
    kind: "checkbox",
    label: s.cut,
    checked: preferences.cut,
    mark: playerIcon("check"),
    run: () => (preferences.cut = !preferences.cut),
  };
  popup(button, s.speedTitle, [...rates, cut]);
}

/** Opens the menu of downloads. `refused` receives the reason when a download fails. */
export function moreMenu(
  button: HTMLElement, s: PlayerStrings, { downloads }: Shown, refused: (why: string) => void,
): void {
  if (!downloads) return;
  const item = (label: string, run: () => Promise<void>): PopupItem => ({
    kind: "item", label, mark: playerIcon("download"), run: () => void run().catch(
      (error: unknown) => refused(whyNot(error, s))
    ),
  });
  popup(button, s.more, [item(s.mp3, downloads.mp3), item(s.original, downloads.original)], s.kept);
}

function whyNot(error: unknown, s: PlayerStrings): string {
  return error instanceof DownloadRefused && error.code === "original_refused" ? s.originalRefused : s.downloadFailed;
}
