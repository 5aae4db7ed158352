/** What is wrong with a section, as the server would say it, while one types. */
import {
  automatic,
  canned,
  capacity,
  hours,
  people,
  ProblemList,
  rules,
  seconds,
  silence,
  skills,
  survey,
  t,
  wrapUp,
} from "./section-checks";
import type { Section, Sections, Voice } from "./settings-model";

/** `at` names the field: the item's id and the field's name. */
export interface Problem {
  readonly at: string;
  readonly text: string;
}

/** What a section is checked against. */
export interface ValidationContext {
  readonly skills: readonly { readonly id: string }[];
  readonly hours: readonly { readonly id: string }[];
}

/** The server's limits. */
export const LIMITS = {
  name: 80,
  text: 2000,
  tag: 40,
  question: 200,
  value: 500,
  reasons: 20,
  conditions: 20,
  skills: 200,
  people: 5000,
  hours: 100,
  rules: 500,
  automatic: 500,
  canned: 1000,
  dispositions: 200,
  tags: 200,
  attributes: 100,
  ring: [5, 300],
  sla: [10, 2_592_000],
  autoClose: [60, 31_536_000],
  velocity: [1, 1000],
  capacity: [0, 50],
  listenSpeed: [50, 300],
  after: [15, 604_800],
  openSeconds: [60, 2_592_000],
  silence: [15, 86_400],
  transfer: [30, 604_800],
  slack: [0, 1000],
  active: [1, 5000],
  idle: [0, 5000],
  idleAfterSeconds: [0, 86_400],
  backlogAfterSeconds: [60, 604_800],
  backlogPauseSeconds: [0, 600],
  callbackAtLeastSeconds: [0, 604_800],
  callbackLeadSeconds: [0, 86_400],
  unplayedSecondsPerSlot: [10, 3600],
  warmUpSeconds: [1, 300],
} as const;

const checks: { readonly [S in Section]: (value: Sections[S], around: ValidationContext, f: ProblemList) => void } = {
  skills,
  people,
  hours,
  rules,
  capacity,
  silence,
  automatic,
  canned,
  wrapUp,
  survey,
};

/** All that is wrong with a section; empty where the server would take it. */
export function check<S extends Section>(
  section: S,
  value: Sections[S],
  around: ValidationContext,
): readonly Problem[] {
  const found = new ProblemList();
  checks[section](value, around, found);
  const most = section in LIMITS ? LIMITS[section as "skills"] : Infinity;
  if (Array.isArray(value) && value.length > most) found.add(section, t.many({ most }));
  return found.all;
}

export function checkVoice(value: Voice): readonly Problem[] {
  const found = new ProblemList();
  found.range("maxSeconds", value.maxSeconds, [15, 120], seconds);
  found.range("keep", value.keep, [0, 100]);
  return found.all;
}
