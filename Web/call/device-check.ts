/** What this device can do for a call, found out without asking the person anything. No UI. */
import { read } from "../client/core/shapes";
import { callCheck, relayServer } from "../protocol/call-shapes";
import type { WireCallReadiness } from "../protocol/frames";
import { obstacle } from "./obstacle";

/** Longer than a relay that answers needs, and short enough for somebody who waits to call. */
const GATHER_MS = 3000;
const KEEP_MS = 60_000;

type Ways = Pick<WireCallReadiness, "host" | "reflexive" | "relay">;

/** The checks of one page. Soon after a check the next one gets the same answer. */
export class DeviceCheck {
  #known: { readonly until: number; readonly readiness: Promise<WireCallReadiness> } | undefined;

  /** Answers a check, as the server sends it. */
  readiness(check: unknown): Promise<WireCallReadiness> {
    const now = performance.now();
    if (!this.#known || this.#known.until < now) this.#known = { until: now + KEEP_MS, readiness: readiness(check) };
    return this.#known.readiness;
  }
}

async function readiness(check: unknown): Promise<WireCallReadiness> {
  const blocked = obstacle();
  if (blocked !== undefined) return { problem: blocked, camera: false, host: false, reflexive: false, relay: false };
  const [microphone, camera, ways] = await Promise.all([
    missing("microphone", "audioinput"), missing("camera", "videoinput"), waysOf(check),
  ]);
  const { downlink } = (navigator as { connection?: { downlink?: number } }).connection ?? {};
  return {
    ...(microphone && { problem: microphone }),
    camera: camera === undefined,
    ...ways,
    ...(downlink !== undefined && { down: Math.round(downlink * 1000) }),
  };
}

/** Why a kind of device cannot be used; `undefined` where it can, or the browser asks first. */
async function missing(name: string, kind: MediaDeviceKind): Promise<"denied" | "noDevice" | undefined> {
  // Some browsers do not know these names.
  const query = navigator.permissions?.query({ name: name as PermissionName });
  const state = await query?.then((found) => found.state, () => undefined);
  if (state === "denied") return "denied";
  const all = await navigator.mediaDevices.enumerateDevices().catch(() => []);
  return all.some((device) => device.kind === kind) ? undefined : "noDevice";
}

/** The kinds of addresses that this device finds for itself. */
async function waysOf(check: unknown): Promise<Ways> {
  const { ice = [], relayOnly = false } = read(callCheck, check) ?? {};
  const iceServers = ice.flatMap((server) => read(relayServer, server) ?? []).map((server) => ({
    ...server, urls: [...server.urls],
  }));
  const found = { host: false, srflx: false, prflx: false, relay: false };
  const pc = new RTCPeerConnection({ iceServers, iceTransportPolicy: relayOnly ? "relay" : "all" });
  try {
    await new Promise<void>((done, failed) => {
      setTimeout(done, GATHER_MS);
      pc.onicecandidate = ({ candidate }) => {
        if (!candidate) return done();
        if (candidate.type) found[candidate.type] = true;
      };
      pc.createDataChannel("");
      pc.setLocalDescription().catch(failed);
    });
  } catch {
    // No address was found.
  } finally {
    pc.close();
  }
  return { host: found.host, reflexive: found.srflx, relay: found.relay };
}
