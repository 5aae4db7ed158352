import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { after, IDLE, spokenMs, isFinal } from "../../voice/record/recording";
import type { Act, Recording } from "../../voice/record/recording";

describe("A recording", () => {
  test("does nothing that cannot happen in its state", () => {
    const states: Recording[] = [
      IDLE,
      { phase: "armed" },
      { phase: "asking" },
      { phase: "refused", problem: "denied" },
      { phase: "recording", since: 1, before: 0 },
      { phase: "paused", ms: 1 },
      { phase: "stopped", ms: 1, ending: "person" },
      { phase: "sending", ms: 1 },
      { phase: "failed", ms: 1, problem: "network" },
      { phase: "deleted", ms: 1 },
    ];
    const acts: Act[] = [
      { act: "arm" }, { act: "ask" }, { act: "granted", at: 2 }, {
        act: "denied", problem: "missing",
      }, { act: "pause", at: 3 }, { act: "resume", at: 3 },
      {
        act: "stop", at: 5, ending: "person",
      }, { act: "found", ms: 1 }, { act: "send" }, { act: "hold" }, { act: "sent" },
      { act: "failed", problem: "failed" },
      { act: "delete", at: 5 }, { act: "undo" }, { act: "close" },
    ];
    const table = Object.fromEntries(
      states.map(
        (state) => [
          state.phase,
          acts.map(
            (act) => [act.act, after(state, act)] as const
          ).filter(([, next]) => next !== state).map(([act, next]) => `${act} → ${next.phase}`),
        ]
      )
    );
    assert.deepEqual(table, {
      idle: ["arm → armed", "ask → asking", "found → stopped"],
      armed: ["ask → asking", "close → idle"],
      asking: ["granted → recording", "denied → refused", "close → idle"],
      refused: ["ask → asking", "close → idle"],
      recording: ["pause → paused", "stop → stopped", "delete → deleted"],
      paused: ["resume → recording", "stop → stopped", "delete → deleted"],
      stopped: ["send → sending", "delete → deleted"],
      sending: ["hold → stopped", "sent → idle", "failed → failed", "delete → deleted"],
      failed: ["send → sending", "delete → deleted"],
      deleted: ["arm → armed", "ask → asking", "undo → stopped", "close → idle"],
    });
  });

  test("counts what was said, and no pause", () => {
    const paused = after({ phase: "recording", since: 1000, before: 0 }, { act: "pause", at: 4000 });
    assert.equal(spokenMs(paused, 60_000), 3000);
    const on = after(paused, { act: "resume", at: 60_000 });
    assert.equal(spokenMs(on, 62_000), 5000);
    assert.deepEqual(
      after(on, { act: "stop", at: 62_500, ending: "person" }), { phase: "stopped", ms: 5500, ending: "person" },
    );
  });
});

describe("A refusal", () => {
  test("is final where the same recording would be refused again", () => {
    const problems = [
      "tooLong", "tooLarge", "empty", "damaged", "blocked", "network", "full", "off", "signedOut", "failed",
    ] as const;
    assert.deepEqual(problems.filter(isFinal), ["tooLong", "tooLarge", "empty", "damaged", "blocked"]);
  });
});
