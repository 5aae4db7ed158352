/** The texts for the error codes with which the server refuses a command. Pure. */
import { texts } from "../i18n/texts";

const text = texts.problem;
const more = texts.problem;

const TEXTS: Readonly<Record<string, string>> = {
  text_empty: text.empty,
  unavailable: text.unavailable,
  storage_full: text.unavailable,
  damaged: text.unavailable,
  rate_limited: text.slowDown,
  forbidden: text.forbidden,
  already_closed: text.alreadyClosed,
  not_found: text.gone,
  over_capacity: more.overCapacity,
  offer_gone: more.offerGone,
  disposition_required: more.disposition,
  unknown_skill: more.notSkill,
  unknown_agent: more.notSkill,
  may_not_answer: more.notSkill,
  suspended: more.suspended,
  not_signed_in: more.signedOut,
  csrf: more.signedOut,
  second_factor_setup_required: more.signedOut,
  reopen_expired: more.reopenExpired,
  nothing_unanswered: more.nothingUnanswered,
  stale: more.stale,
  calls_off: more.callsOff,
  call_under_way: more.inCall,
  in_call: more.inCall,
  call_over: more.callOver,
  audio_off: more.audioOff,
  audio_pending: more.audioPending,
  audio_blocked: more.audioBlocked,
  audio_failed: more.audioDamaged,
  audio_damaged: more.audioDamaged,
  audio_empty: more.audioDamaged,
  not_audio: more.audioDamaged,
  audio_too_long: more.audioTooLong,
  audio_too_large: more.audioTooLong,
  upload_sent: more.audioSent,
};

/** The text for an error code; `limit` is the limit that was exceeded, where the server named one. */
export function refusalText(code: string, limit: number): string {
  if (code === "text_too_long") return text.tooLong({ limit });
  if (code === "out_of_range") return limit === 0 ? text.notPossible : text.outOfRange({ limit });
  return TEXTS[code] ?? text.other;
}
