import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { covered, playedMs } from "../../client/conversation/played-spans";
import type { Span } from "../../client/conversation/events";
import { MemoryStore } from "../../client/core/ports";
import { nameIn } from "../../voice/play/download";
import { buttonName, playerStatus, isPlayable, words } from "../../voice/ui/player-view";
import { ExclusivePlayback } from "../../voice/play/exclusive-playback";
import type { PlaybackChannel } from "../../voice/play/exclusive-playback";
import { formatFor, mediaURL, mp3From, MP3_FRAME_BYTES } from "../../voice/play/formats";
import { correction, MOST_DB } from "../../voice/play/loudness-gain";
import { Fault, Playback } from "../../voice/play/playback";
import type { PlaybackOptions, Sound } from "../../voice/play/playback";
import { playerStrings } from "../../voice/ui/player-strings";
import { listeningMs, SILENCE_MS, silencesByWave, silencesIn } from "../../voice/play/silences";
import { isConstant } from "../../voice/play/audio-source";
import { MOST_PLACES, RATES, PlaybackPreferences } from "../../voice/play/playback-preferences";
import { settle } from "../support/support";

/** An audio element as far as a playback sees one: what it plays is what the test lets it play. */
class FakeAudio extends EventTarget {
  preload = "";
  preservesPitch = false;
  playbackRate = 1;
  currentSrc = "";
  readyState = 0;
  seeking = false;
  ended = false;
  paused = true;
  refusal: Error | undefined;
  #at = 0;
  #from = 0;
  readonly #ranges: Span[] = [];

  /** The premise of every browser: only once its sound is known, it can be moved without having "played" all before. */
  set src(_: string) {
    queueMicrotask(() => {
      this.readyState = Math.max(1, this.readyState);
      this.dispatchEvent(new Event("loadedmetadata"));
    });
  }

  get currentTime(): number {
    return this.#at;
  }

  set currentTime(to: number) {
    assert(this.readyState > 0 || to === 0, "moved before its length was known");
    this.#close();
    this.#at = this.#from = to;
  }

  get played(): TimeRanges {
    const all = this.#from < this.#at ? [...this.#ranges, [this.#from, this.#at] as const] : this.#ranges;
    return { length: all.length, start: (i: number) => all[i]?.[0] ?? 0, end: (i: number) => all[i]?.[1] ?? 0 };
  }

  play(): Promise<void> {
    if (this.refusal) return Promise.reject(this.refusal);
    this.paused = false;
    return Promise.resolve();
  }

  pause(): void {
    this.paused = true;
  }

  removeAttribute(): void {}

  /** Lets so many seconds of the sound pass. */
  run(seconds: number): void {
    assert(!this.paused, "the premise: it plays");
    this.#at += seconds;
    this.dispatchEvent(new Event("timeupdate"));
  }

  end(): void {
    this.ended = true;
    this.dispatchEvent(new Event("ended"));
  }

  #close(): void {
    if (this.#from < this.#at) this.#ranges.push([this.#from, this.#at]);
  }
}

function deck(
  more: Partial<PlaybackOptions> = {}
): { playback: Playback; made: FakeAudio[]; played: () => readonly Span[]; asked: number[]; log: string[] } {
  const [made, asked, log]: [FakeAudio[], number[], string[]] = [[], [], []];
  let played: readonly Span[] = [];
  const playback = new Playback({
    ms: 100_000, wave: [], rate: () => 2, cut: () => false,
    source: (from) => {
      asked.push(from);
      return "blob:x";
    },
    make: () => {
      const audio = new FakeAudio();
      made.push(audio);
      return audio as unknown as HTMLAudioElement;
    },
    changed: () => {},
    played: (from, to) => (played = covered(played, from, to)),
    ended: () => log.push("ended"),
    ...more,
  });
  return { playback, made, played: () => played, asked, log };
}

describe("A voice message that plays", () => {
  test("asks for its sound at the first play and not before, and begins where it was moved to", async () => {
    const { playback, made, asked } = deck();
    playback.seek(42_000);
    assert.deepEqual([asked, made.length, playback.at], [[], 0, 42_000]);
    await playback.play();
    assert.deepEqual(
      [asked, made[0]?.currentTime, made[0]?.playbackRate, made[0]?.preservesPitch], [[42_000], 42, 2, true],
    );
    playback.pause();
    await playback.play();
    assert.equal(made.length, 1, "it is fetched once");
  });

  test("counts as played what was played, and nothing that was jumped over", async () => {
    const { playback, made, played } = deck();
    await playback.play();
    made[0]?.run(10);
    playback.seek(90_000);
    made[0]?.run(2);
    playback.pause();
    assert.deepEqual(played(), [[0, 10_000], [90_000, 92_000]]);
  });

  test("counts nothing while it is only moved about", async () => {
    const { playback, played } = deck();
    for (const to of [5000, 99_000, 0, 100_000]) playback.seek(to);
    await playback.play();
    playback.pause();
    assert.deepEqual(played(), []);
  });

  test("counts at most to its end, and to it when it ran out there", async () => {
    const { playback, made, played, log } = deck();
    playback.seek(95_000);
    await playback.play();
    made[0]?.run(4.8);
    made[0]?.end();
    assert.deepEqual([played(), log, playback.at, playback.state], [[[95_000, 100_000]], ["ended"], 0, "idle"]);
  });

  test("does not count its end when that was not reached: a broken file stops early", async () => {
    const { playback, made, played } = deck();
    await playback.play();
    made[0]?.run(30);
    made[0]?.end();
    assert.deepEqual(played(), [[0, 30_000]]);
  });

  test("moved to its end while it plays stops there, and has not played it", async () => {
    const { playback, made, played, log } = deck();
    await playback.play();
    made[0]?.run(1);
    playback.seek(100_000);
    assert.deepEqual([played(), log, playback.state, made[0]?.paused], [[[0, 1000]], [], "paused", true]);
    await playback.play();
    assert.equal(playback.at, 0, "the next play starts from the beginning");
  });

  test("leaves silences out where that is wanted; there was nothing in them to hear", async () => {
    const { playback, made, played } = deck({ cut: () => true });
    playback.silences = [[5000, 9000]];
    await playback.play();
    made[0]?.run(5.01);
    assert.equal(made[0]?.currentTime, 9);
    made[0]?.run(1);
    playback.pause();
    assert.deepEqual(played(), [[0, 10_000]]);
    assert.equal(playedMs(played()), 10_000);
  });

  test("that was fetched from its middle knows its position, and fetches again for what comes before", async () => {
    const source = (from: number): Sound => ({ url: "blob:piece", base: from > 0 ? 40_000 : 0 });
    const { playback, made, played } = deck({ source });
    playback.seek(42_000);
    await playback.play();
    made[0]?.run(3);
    assert.deepEqual([playback.at, played()], [45_000, [[42_000, 45_000]]]);
    playback.seek(0);
    await settle();
    assert.equal(made.length, 2);
    assert.deepEqual([playback.state, made[1]?.currentTime], ["playing", 0]);
  });

  test("says why it does not play, and can be tried again", async () => {
    let fail: Error | undefined = new Fault("erased");
    const { playback } = deck({ source: () => (fail ? Promise.reject(fail) : "blob:x") });
    await playback.play();
    assert.deepEqual([playback.state, playback.fault], ["failed", "erased"]);
    fail = new Error("network");
    await playback.play();
    assert.deepEqual([playback.state, playback.fault], ["failed", "failed"]);
    fail = undefined;
    await playback.play();
    assert.equal(playback.state, "playing");
  });

  test("that the element cannot play asks the server why", async () => {
    const { playback, made } = deck({ explain: () => Promise.resolve("checked") });
    await playback.play();
    made[0]?.dispatchEvent(new Event("error"));
    await settle();
    assert.deepEqual([playback.state, playback.fault], ["failed", "checked"]);
  });

  test("is not failed where the browser only wants a gesture first", async () => {
    const { playback } = deck(
      {
        make: () => Object.assign(
          new FakeAudio(), { refusal: new DOMException("", "NotAllowedError") },
        ) as unknown as HTMLAudioElement,
      }
    );
    await playback.play();
    assert.equal(playback.state, "paused");
  });

  test("paused while its sound is still loading does not start later", async () => {
    let arrive: (url: string) => void = () => {};
    const { playback, made } = deck({ source: () => new Promise((done) => (arrive = done)) });
    const playing = playback.play();
    await settle();
    playback.pause();
    arrive("blob:x");
    await playing;
    assert.deepEqual([playback.state, made.every((audio) => audio.paused)], ["paused", true]);
  });
});

describe("The exclusive", () => {
  const player = (): { pause(): void; pauses: number } => ({ pauses: 0, pause() { this.pauses += 1; } });

  test("has one player: the next one pauses the one before", () => {
    const [exclusive, a, b] = [new ExclusivePlayback(), player(), player()];
    exclusive.acquire(a);
    exclusive.acquire(a);
    assert.equal(a.pauses, 0);
    exclusive.acquire(b);
    assert.deepEqual([a.pauses, exclusive.has(b)], [1, true]);
    exclusive.pauseCurrent();
    assert.equal(b.pauses, 1);
  });

  test("is one for all tabs of a person", () => {
    const lines: PlaybackChannel[] = [];
    const channel = (): PlaybackChannel => {
      const own: PlaybackChannel = {
        onmessage: null,
        postMessage: (data) => lines.forEach((other) => other !== own && other.onmessage?.({ data } as MessageEvent)),
      };
      lines.push(own);
      return own;
    };
    const [here, there, a, b] = [
      new ExclusivePlayback(channel()), new ExclusivePlayback(channel()), player(), player(),
    ];
    here.acquire(a);
    there.acquire(b);
    assert.deepEqual([a.pauses, b.pauses], [1, 0]);
  });
});

describe("How a person likes to listen", () => {
  test("is remembered, for this person and no other", () => {
    const storage = new MemoryStore();
    const preferences = new PlaybackPreferences(storage, "dana");
    [preferences.rate, preferences.cut] = [2, true];
    preferences.leave("m", 30_000, 60_000);
    const again = new PlaybackPreferences(storage, "dana");
    assert.deepEqual([again.rate, again.cut, again.place("m")], [2, true, 30_000]);
    const other = new PlaybackPreferences(storage, "kim");
    assert.deepEqual([other.rate, other.cut, other.place("m")], [1, false, 0]);
  });

  test("has six speeds, and steps stop at both ends", () => {
    const preferences = new PlaybackPreferences(new MemoryStore(), "x");
    assert.deepEqual([0.75, 1, 1.25, 1.5, 2, 3], [...RATES]);
    for (let i = 0; i < 9; i++) preferences.step(1);
    assert.equal(preferences.rate, 3);
    for (let i = 0; i < 9; i++) preferences.step(-1);
    assert.equal(preferences.rate, 0.75);
  });

  test("forgets the place in a message that was played to its end, and the oldest of too many", () => {
    const preferences = new PlaybackPreferences(new MemoryStore(), "x");
    for (let i = 0; i < MOST_PLACES + 1; i++) preferences.leave(`m${i}`, 5000, 60_000);
    assert.deepEqual(
      [preferences.place("m0"), preferences.place("m1"), preferences.place(`m${MOST_PLACES}`)], [0, 5000, 5000],
    );
    preferences.leave("m1", 59_900, 60_000);
    assert.equal(preferences.place("m1"), 0);
  });

  test("kept as nonsense is the usual", () => {
    for (const kept of ["{", "7", '{"rate":9,"cut":"x","places":7}', '{"places":[[1,2],["m","x"]]}']) {
      const storage = new MemoryStore();
      storage.set("earshot.listening.x", kept);
      const preferences = new PlaybackPreferences(storage, "x");
      assert.deepEqual([preferences.rate, preferences.cut, preferences.place("m")], [1, false, 0], kept);
    }
  });
});

describe("Silences", () => {
  const RATE = 8000;
  /** Speech and silence in turn, in milliseconds. */
  const samples = (...parts: number[]): Float32Array =>
    Float32Array.from(
      parts.flatMap(
        (ms, i) => Array.from(
          { length: (ms * RATE) / 1000 }, (_, k) => (i % 2 === 0 ? 0.3 * Math.sin(k) : 0.001 * Math.sin(k)),
        )
      )
    );

  test("are found in the samples, with a breath left at both ends", () => {
    assert.deepEqual(silencesIn(samples(1000, 2000, 1000), RATE), [[1120, 2880]]);
  });

  test("shorter than a pause in talking are none", () => {
    assert.deepEqual(silencesIn(samples(1000, SILENCE_MS - 20, 1000), RATE), []);
    assert.equal(silencesIn(samples(1000, SILENCE_MS, 1000), RATE).length, 1);
  });

  test("at the beginning are left out from the first moment on", () => {
    assert.deepEqual(silencesIn(samples(0, 1000, 1000), RATE), [[0, 880]]);
  });

  test("show in the waveform where they are long", () => {
    assert.deepEqual(silencesByWave([80, 90, 0, 0, 70, 80], 6000), [[2120, 3880]]);
    assert.deepEqual(silencesByWave([], 6000), []);
  });

  test("and speed make the time it takes to hear something", () => {
    assert.equal(listeningMs(60_000, [[0, 10_000], [20_000, 30_000]], 2), 20_000);
  });
});

describe("Loudness", () => {
  test("is brought to -16 LUFS where that can be played", () => {
    assert.deepEqual(
      [correction(-231), correction(-160), correction(-150), correction(-100)].map((db) => Math.round(db * 10)),
      [71, 0, 0, -60],
    );
    assert.deepEqual([correction(undefined), correction(NaN)], [0, 0]);
    assert.equal(correction(-700), MOST_DB);
  });
});

describe("Where the sound comes from", () => {
  test("is the first form that the browser may play, MP3 first", () => {
    assert.equal(formatFor(() => "maybe"), "mp3");
    assert.equal(formatFor((type) => (type.includes("ogg") ? "probably" : "")), "ogg");
    assert.equal(formatFor((type) => (type.includes("mp4") ? "maybe" : "")), "m4a");
    assert.equal(formatFor(() => ""), "mp3");
    assert.equal(mediaURL("C/1", "m?", "mp3"), "/v1/media/C%2F1/m%3F.mp3");
    assert.equal(mediaURL("C", "m", "original"), "/v1/media/C/m/original");
  });

  test("from the middle on begins at a frame, with a run-up, before the moment that is wanted", () => {
    assert.deepEqual(mp3From(0), { byte: 0, base: 0 });
    assert.deepEqual(mp3From(200), { byte: 0, base: 0 });
    const { byte, base } = mp3From(60_000);
    assert.deepEqual([byte % MP3_FRAME_BYTES, base], [0, (60_000 / 24 - 12) * 24]);
  });

  test("is taken from the middle only of a file that is as long as its rate says", () => {
    assert.equal(isConstant((60_000 / 24 + 3) * 96, 60_000), true);
    assert.equal(isConstant((60_000 / 24) * 192, 60_000), false);
    assert.equal(isConstant(NaN, 60_000), false);
  });

  test("is saved under the name that the server gives", () => {
    assert.equal(nameIn('attachment; filename="voice 7.mp3"'), "voice 7.mp3");
    assert.equal(nameIn("attachment; filename=\"x.mp3\"; filename*=UTF-8''V%C3%B6.mp3"), "Vö.mp3");
    assert.equal(nameIn("attachment; filename*=UTF-8''%ZZ"), "voice-message");
  });
});

describe("The status of a voice message", () => {
  test("says first what must not be played", () => {
    assert.equal(playerStatus("playing", "failed", "blocked", true), "blocked");
    assert.deepEqual(
      [playerStatus("idle", "failed", "failed", false), playerStatus("idle", "failed", "failed", true)],
      ["spoiled", "kept"],
    );
    assert.equal(playerStatus("idle", "failed", "pending", false), "checked");
    assert.equal(playerStatus("idle", "failed", "pending", true), "kept");
    assert.equal(playerStatus("failed", "erased", undefined, false), "erased");
    assert.equal(playerStatus("failed", "failed", undefined, false), "failed");
    assert.deepEqual(
      (["checked", "blocked", "spoiled", "erased", "kept", "failed", "playing"] as const).map(isPlayable),
      [false, false, false, false, true, true, true],
    );
  });

  test("has its length in words in every state", () => {
    assert.equal(words("idle", 0, 42_000, playerStrings), "0:42");
    assert.equal(words("playing", 5000, 42_000, playerStrings), "0:05 / 0:42");
    assert.equal(words("checked", 0, 42_000, playerStrings), "0:42 · Being checked");
    assert.equal(buttonName("idle", 42_000, playerStrings), "Play voice message, 0:42");
    assert(/0:42.*checked/.test(buttonName("checked", 42_000, playerStrings)));
  });
});
