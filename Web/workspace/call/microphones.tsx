import { type ReactElement, useEffect, useState } from "react";
import type { CallDevice } from "../../call/call-device";
import { callTexts } from "../i18n/call-texts";

/** Chooses among several microphones during a call. */
export function Microphones({ device }: { device: CallDevice }): ReactElement | null {
  const [known, setKnown] = useState<readonly MediaDeviceInfo[]>([]);
  const [used, setUsed] = useState(device.media.microphone?.getSettings().deviceId);
  useEffect(() => {
    const { mediaDevices } = navigator;
    const look = (): void => {
      void mediaDevices.enumerateDevices().then(
        (all) => setKnown(all.filter(({ kind }) => kind === "audioinput")),
        () => setKnown([]),
      );
    };
    look();
    mediaDevices.addEventListener("devicechange", look);
    return () => mediaDevices.removeEventListener("devicechange", look);
  }, []);
  if (known.length < 2) return null;
  const choose = (id: string): void => {
    setUsed(id);
    device.chooseMicrophone(id).catch(() => setUsed(device.media.microphone?.getSettings().deviceId));
  };
  return (
    <select
      className="field call-microphones"
      aria-label={callTexts.microphone}
      value={used}
      onChange={({ target }) => choose(target.value)}
    >
      {known.map(({ deviceId, label }) => <option key={deviceId} value={deviceId}>{label}</option>)}
    </select>
  );
}
