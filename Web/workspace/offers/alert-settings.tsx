import { type ReactElement, useState } from "react";
import { Icon } from "../ui/icons";
import { usePage } from "../app/page-context";
import { usePreferences } from "../app/preferences";
import { texts } from "../i18n/texts";

const text = texts.bell;

/**
 * Switches for the offer sound and desktop notifications. The browser's permission is requested only by this switch.
 */
export default function AlertSettings(): ReactElement {
  const { set: prefer } = usePage().preferences;
  const { sound, notify } = usePreferences();
  const [permission, setPermission] = useState(() => ("Notification" in window ? Notification.permission : "denied"));
  const on = notify && permission === "granted";
  const toggle = async (): Promise<void> => {
    if (on) return prefer({ notify: false });
    const answer = permission === "default" ? await Notification.requestPermission() : permission;
    setPermission(answer);
    prefer({ notify: answer === "granted" });
  };
  return (
    <>
      <label className="menu-item">
        <Icon name="bell" />
        {text.sound}
        <input
          type="checkbox"
          role="switch"
          checked={sound}
          onChange={(event) => prefer({ sound: event.target.checked })}
        />
      </label>
      <label className="menu-item">
        <Icon name="info" />
        <span>{text.notify}{permission === "denied" && <small>{text.blocked}</small>}</span>
        <input
          type="checkbox"
          role="switch"
          checked={on}
          disabled={permission === "denied"}
          onChange={() => void toggle()}
        />
      </label>
    </>
  );
}
