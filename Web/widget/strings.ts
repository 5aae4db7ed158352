/**
 * The widget's texts that load with the page. Texts that are needed later load with their part:
 * contact-centre-strings.ts, recorder-strings.ts, player-strings.ts. Plain data: `{name}` is a placeholder.
 */
export { fill, plural } from "../voice/ui/strings";

/** The English texts of the widget. */
export const strings = {
  /** The language of these texts: decides the plural rules. */
  language: "en",
  title: "Messages",
  close: "Close messages",
  conversation: "Conversation",
  status: {
    new: "Write or speak to us",
    waiting: "We have your message",
    open: "We’re here to help",
    closed: "Write any time to continue",
  },
  welcome: "Hello! How can we help?",
  hint: "Write to us, or record a voice message.",
  older: "Loading older messages…",
  jump: "New messages",
  typing: "{name} is typing",
  typingNobody: "Someone is typing",

  message: "Your message",
  placeholder: "Write a message",
  placeholderClosed: "Write to start again",
  send: "Send message",
  record: "Record a voice message",
  holdHint: "Hold to record, or tap once more",
  voiceFailed: "The recorder could not be loaded. Check your connection and try again.",
  voiceOff: {
    page: "Voice messages are turned off on this page.",
    brand: "Voice messages are turned off.",
    role: "Voice messages are turned off for you.",
    channel: "Voice messages are turned off here.",
  },
  counter: "{used} of {limit} characters",
  over: { one: "{count} character too many", other: "{count} characters too many" },

  today: "Today",
  yesterday: "Yesterday",
  joined: "{name} joined",
  assigned: "You’re now chatting with {name}",
  closed: "This conversation was closed.",
  reopened: "This conversation is open again.",
  you: "You",
  brand: "Agent",
  waiting: "Waiting for a connection",
  sending: "Sending…",
  sent: "Sent",
  delivered: "Delivered",
  read: "Read",
  listened: "Listened",
  partly: "{percent}% played",
  failed: "Not sent",
  again: "Try again",
  discard: "Delete",
  tooLong: "It is longer than {limit} characters.",

  saidText: "{name}: {text}",
  saidVoice: "{name} sent a voice message, {length}.",

  offline: "No connection. Trying again…",
  tryNow: "Try now",
  unreachable: "We can’t be reached right now",
  unreachableMore: "We keep trying. You can also try again yourself.",
  refused: "Messages are not available on this page",
  refusedMore: "Please use another way to get in touch.",
  ended: "This conversation ended on this device",
  endedMore: "You can start a new one at any time.",
  renew: "Start a new conversation",
  loading: "Loading your conversation…",
};
