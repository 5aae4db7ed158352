/// A command or request refused: expected, coded, and nothing happened. The code is stable; the text is for people and
/// may change.
public struct Rejection: Error, Hashable, Sendable {
    public let code: Code
    public let text: String
    /// The limit that was crossed, in the unit that docs/protocol.md names beside the code.
    public let limit: Int?
    /// Seconds after which it may work.
    public let retryAfter: Int?

    public init(_ code: Code, _ text: String, limit: Int? = nil, retryAfter: Int? = nil) {
        self.code = code
        self.text = text
        self.limit = limit
        self.retryAfter = retryAfter
    }

    /// Every code there is: docs/protocol.md section 5 (held together by Tests/House).
    public enum Code: String, Hashable, Codable, Sendable, CaseIterable {
        case badRequest = "bad_request"
        case unknownField = "unknown_field"
        case unknownFrame = "unknown_frame"
        case notSignedIn = "not_signed_in"
        case loginFailed = "login_failed"
        case forbidden
        case suspended
        case originRefused = "origin_refused"
        case csrf
        case audioOff = "audio_off"
        case originalRefused = "original_refused"
        case notFound = "not_found"
        case methodNotAllowed = "method_not_allowed"
        case timeout
        case keyReused = "key_reused"
        case alreadyTaken = "already_taken"
        case notAssigned = "not_assigned"
        case alreadyClosed = "already_closed"
        case offerGone = "offer_gone"
        case overCapacity = "over_capacity"
        case unknownSkill = "unknown_skill"
        case unknownAgent = "unknown_agent"
        case dispositionRequired = "disposition_required"
        case surveyClosed = "survey_closed"
        case stale
        case lastManager = "last_manager"
        case uploadGap = "upload_gap"
        case uploadSent = "upload_sent"
        case uploadFinished = "upload_finished"
        case audioPending = "audio_pending"
        case tooLarge = "too_large"
        case audioTooLarge = "audio_too_large"
        case notAudio = "not_audio"
        case textTooLong = "text_too_long"
        case textEmpty = "text_empty"
        case audioEmpty = "audio_empty"
        case audioTooLong = "audio_too_long"
        case audioDamaged = "audio_damaged"
        case audioFailed = "audio_failed"
        case audioBlocked = "audio_blocked"
        case settingOutOfRange = "setting_out_of_range"
        case outOfRange = "out_of_range"
        case badKey = "bad_key"
        case rateLimited = "rate_limited"
        case tooManyWatches = "too_many_watches"
        case headersTooLarge = "headers_too_large"
        case unavailable
        case storageFull = "storage_full"
    }
}

extension Rejection {
    /// One answer for "there is none" and "it is not yours", so that nobody learns which ids exist.
    public static let notFound = Rejection(.notFound, "There is no such thing here.")
    public static let suspended = Rejection(.suspended, "This brand is suspended. Whoever runs Earshot can say why.")
    public static let notSignedIn = Rejection(.notSignedIn, "Sign in first.")
    public static let unavailable = Rejection(
        .unavailable, "Earshot cannot do this right now. Try again in a moment.", retryAfter: 1)
}
