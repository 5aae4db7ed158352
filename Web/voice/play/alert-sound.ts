/** A short sound that asks for attention. No UI. */

/** Two soft tones. Silent until the person has interacted with the page, as browsers demand. */
export class AlertSound {
  #context: AudioContext | undefined;

  play(): void {
    try {
      this.#context ??= new AudioContext();
    } catch {
      return;
    }
    const context = this.#context;
    if (context.state === "suspended") void context.resume();
    if (context.state !== "running") return;
    for (const [pitch, after] of [[659, 0], [880, 0.16]] as const) tone(context, pitch, context.currentTime + after);
  }
}

function tone(context: AudioContext, pitch: number, at: number): void {
  const [voice, volume] = [context.createOscillator(), context.createGain()];
  voice.type = "sine";
  voice.frequency.value = pitch;
  volume.gain.setValueAtTime(0, at);
  volume.gain.linearRampToValueAtTime(0.14, at + 0.02);
  volume.gain.exponentialRampToValueAtTime(0.001, at + 0.5);
  voice.connect(volume).connect(context.destination);
  voice.start(at);
  voice.stop(at + 0.55);
}
