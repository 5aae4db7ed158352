/** Every word of the settings, with those beside this file. */
import { past } from "./history-words";
import { staff } from "./people-words";
import { talk } from "./messages-words";
import { work } from "./routing-words";

const unit = (count: number, name: "second" | "minute" | "hour" | "day"): string =>
  new Intl.NumberFormat(undefined, { style: "unit", unit: name, unitDisplay: name === "day" ? "long" : "short" }).format(count);

/** `1 h 30 min`, `45 s`. */
function duration(seconds: number): string {
  const [d, h, m, s] = [Math.floor(seconds / 86_400), Math.floor((seconds % 86_400) / 3600), Math.floor((seconds % 3600) / 60), seconds % 60];
  const parts = [d > 0 && unit(d, "day"), h > 0 && unit(h, "hour"), m > 0 && unit(m, "minute"), s > 0 && unit(s, "second")].filter(Boolean);
  return parts.length === 0 ? unit(0, "second") : parts.slice(0, 2).join(" ");
}

export const admin = {
  ...work,
  ...staff,
  ...talk,
  ...past,

  duration,
  title: "Settings",
  nav: "Sections",
  groups: [
    { title: "Work", sections: ["skills", "people", "hours", "rules"] },
    { title: "Load", sections: ["capacity", "silence"] },
    { title: "Words", sections: ["automatic", "canned", "wrapUp", "survey"] },
    { title: "Account", sections: ["voice", "history", "audit"] },
  ],

  sections: {
    skills: ["Skills", "What your people can do, and what you promise for it. Every conversation waits in the queue of one skill."],
    people: ["People", "Who may do what, who has which skill, how much work each takes, and how fast each listens."],
    hours: ["Opening hours", "When somebody is there. Response times count only while a skill is open."],
    rules: ["Routing rules", "Which conversation goes to which skill. The first rule that fits wins; if none fits, the default skill takes it."],
    capacity: ["Workload", "How much of an agent’s capacity a conversation takes, from its first message until it rests."],
    silence: ["Silence and absence", "When a conversation that nobody answers goes back to the queue, so that no consumer is forgotten."],
    automatic: ["Automatic messages", "What Earshot says by itself, in the brand’s name."],
    canned: ["Canned replies", "Replies that agents have ready. They type / and the shortcut."],
    wrapUp: ["Wrap-up", "What agents note while they work and when a conversation ends."],
    survey: ["Survey", "What consumers are asked after the end."],
    voice: ["Voice messages", "Who may send voice messages, and how long they may be."],
    history: ["History", "Every change, who made it, and the way back."],
    audit: ["Audit", "What was downloaded, blocked or changed, and by whom. It cannot be edited."],
  } as Readonly<Record<string, readonly [string, string]>>,

  forbidden: "Only managers can change how the contact centre is run.",
  forbiddenMore: "Ask a manager of your brand, or go back to the inbox.",
  toInbox: "Back to the inbox",
  loading: "Loading the settings…",
  failed: "The settings could not be loaded.",
  again: "Try again",
  save: {
    save: "Save",
    saving: "Saving…",
    discard: "Discard",
    unsaved: (name: string) => `Unsaved changes in ${name}`,
    kept: "Your unsaved changes are kept in this tab.",
    fix: (count: number) => (count === 1 ? "1 thing to fix" : `${count} things to fix`),
    saved: (name: string) => `${name} saved. In force now.`,
    undone: (name: string) => `${name}: the change was taken back.`,
    undo: "Undo",
    dirty: "not saved",
    changedBy: "Somebody changed this while you were editing:",
    staleHint: "Your version still has the older state. Choose which one holds.",
    mine: "Save mine over it",
    theirs: "Take theirs, drop mine",
    refused: {
      stale: "Somebody changed this meanwhile.",
      forbidden: "You may not change this.",
      csrf: "Your session changed. Reload the page and save again; your changes are kept.",
      not_signed_in: "Your session is over. Sign in again and save; your changes are kept.",
      network: "No connection. Nothing was saved; your changes are kept here.",
      rate_limited: "That was too fast. Wait a moment and save again; your changes are kept.",
      unavailable: "Earshot could not store that. Save again; your changes are kept.",
      storage_full: "Earshot has no room to store that. Tell whoever runs it; your changes are kept.",
      suspended: "Your brand is suspended. Whoever runs Earshot for you can say why. Your changes are kept.",
      unknown_skill: "A skill that is named here does not exist any more.",
      unknown_agent: "Somebody who is named here does not belong to your brand any more.",
      not_found: "That is not there any more.",
      too_large: "This section is larger than the server takes (256 KB).",
    } as Readonly<Record<string, string>>,
    other: "The server did not take it. Your changes are kept here.",
  },

  item: {
    add: "Add",
    edit: "Edit",
    remove: "Remove",
    removed: (name: string) => `${name} removed. Discard brings it back.`,
    up: (name: string) => `Move ${name} up`,
    down: (name: string) => `Move ${name} down`,
    drag: (name: string) => `Drag ${name}, or press the arrow keys`,
    moved: (name: string, place: number, of: number) => `${name} is now ${place} of ${of}`,
    on: "On",
    off: "Off",
    none: "None",
    never: "Never",
    everySkill: "Every skill",
    everyLanguage: "Every language",
    unnamed: "Unnamed",
    units: { 1: "seconds", 60: "minutes", 3600: "hours", 86400: "days" } as Readonly<Record<number, string>>,
    unit: "Unit",
    wall: (value: string) => `= ${value}`,
  },

  problem: {
    empty: "Fill this in.",
    long: (most: number) => `At most ${most} characters.`,
    number: "Only a number fits here.",
    whole: "Only whole numbers fit here.",
    least: (least: string) => `At least ${least}.`,
    most: (most: string) => `At most ${most}.`,
    twice: "This is there twice.",
    oneDefault: "Exactly one skill is the default.",
    noSkill: "This skill does not exist any more.",
    noHours: "These opening hours do not exist any more.",
    ownFallback: "A skill cannot be its own fallback.",
    span: "Each span ends after it begins, between 00:00 and 24:00.",
    overlap: "Two spans overlap.",
    zone: "This time zone is not known. Example: Europe/Berlin.",
    date: "This is no date.",
    attribute: "Name the fact that is looked at.",
    value: "Say what it is compared with.",
    idleMore: "A conversation that rests cannot weigh more than one that waits.",
    many: (most: number) => `At most ${most}.`,
    placeholder: (name: string) => `{${name}} is no placeholder.`,
    after: "Say after how long.",
    language: "A language tag, such as de or pt-BR.",
    shortcut: "Letters, digits and -, at most 32.",
    asksNothing: "Ask at least one thing, or switch the survey off.",
    time: "A time, such as 8:30 or 24:00.",
  },
} as const;
