/** The words of what was: history, audit, what changed. */
export const past = {
  history: {
    empty: "Nothing was changed yet.",
    undo: "Take back",
    undone: "took a change back",
    show: "What changed",
    more: "Older changes",
    changed: (who: string, section: string) => `${who} changed ${section}`,
    tookBack: (who: string, section: string) => `${who} took back a change of ${section}`,
    nothing: "Nothing that can be seen.",
    stale: "It was changed again since. Take the newer change back first.",
    confirm: "Take back",
  },

  audit: {
    empty: "Nothing was noted yet.",
    more: "Older entries",
    when: "When",
    who: "Who",
    what: "What",
    conversation: "Conversation",
    detail: "Detail",
    whats: {
      "audio.downloaded": "Downloaded a voice message", "audio.blocked": "A harmful recording was blocked", "settings.changed": "Changed the voice settings",
      "centre.changed": "Changed the contact centre",
    } as Readonly<Record<string, string>>,
    earshot: "Earshot",
    operator: "Operator (command line)",
    forbidden: "You may not read the audit.",
  },

  diff: {
    added: (what: string, name: string) => `${what} “${name}” added`,
    removed: (what: string, name: string) => `${what} “${name}” removed`,
    order: "The order is another one",
    changed: (name: string, field: string, before: string, after: string) => `${name}: ${field}: ${before} → ${after}`,
    value: (field: string, before: string, after: string) => `${field}: ${before} → ${after}`,
    text: (name: string, field: string) => `${name}: ${field} was rewritten`,
    nothing: "nothing",
    items: {
      skills: "Skill", people: "Person", hours: "Opening hours", rules: "Rule", automatic: "Automatic message", canned: "Canned reply",
      dispositions: "Wrap-up", attributes: "Fact", holidays: "Day",
    } as Readonly<Record<string, string>>,
    fields: {
      name: "name", default: "default skill", fallback: "fallback", accept: "how work arrives", offerSeconds: "offer", usual: "usual answer",
      urgent: "urgent answer", first: "first answer", hours: "hours", autoCloseSeconds: "closes by itself", velocity: "place in the queue",
      disposition: "asks what it was about", survey: "survey", skills: "skills", capacity: "capacity", listenSpeed: "listens at", zone: "time zone",
      week: "week", holidays: "days that differ", on: "on", conditions: "conditions", skill: "skill", slack: "may go over by", active: "waiting weighs",
      idle: "resting weighs", idleAfterSeconds: "rests after", backlogAfterSeconds: "backlog after", backlogPauseSeconds: "pause after backlog",
      callbackAtLeastSeconds: "promise rests from", callbackLeadSeconds: "work again before", unplayedSecondsPerSlot: "unplayed voice for one more", warmUpSeconds: "warm-up",
      onlineSeconds: "silence online", awaySeconds: "silence away", offlineSeconds: "silence offline", transferSeconds: "transfer not taken",
      awayReasons: "reasons", enabled: "said", text: "text", without: "text without values", afterSeconds: "after", language: "language",
      shortcut: "shortcut", title: "title", clip: "clip", dispositions: "wrap-up", tags: "tags", attributes: "facts", type: "kind", csat: "faces",
      nps: "0 to 10", words: "words", question: "question", openSeconds: "open for", date: "date", open: "open",
    } as Readonly<Record<string, string>>,
  },
} as const;
