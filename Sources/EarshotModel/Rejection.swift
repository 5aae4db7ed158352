/// A refused command or request. A rejection is an expected result and has no effect. The code is stable; the text is
/// for people and may change.
public struct Rejection: Error, Hashable, Sendable {
    /// The stable code that clients act on.
    public let code: Code
    /// An English sentence for the person, which says what to do next.
    public let text: String
    /// The field that is refused, as its path from the body or from the section: `skills[2].name`. `nil` if the refusal
    /// is not about one field.
    public let field: String?
    /// The limit that was exceeded, in the unit that docs/protocol.md gives for the code. `nil` if the code has no
    /// limit.
    public let limit: Int?
    /// Seconds after which the same request may succeed. `nil` if there is no such time.
    public let retryAfter: Int?

    /// Makes a rejection. The field, as `at`, `limit` and `retryAfter` reach the client as fields of the answer.
    public init(_ code: Code, _ text: String, at field: String? = nil, limit: Int? = nil, retryAfter: Int? = nil) {
        self.code = code
        self.text = text
        self.field = field
        self.limit = limit
        self.retryAfter = retryAfter
    }

    /// Every error code. docs/protocol.md section 5 lists them; Tests/House compares the two.
    public enum Code: String, Hashable, Codable, Sendable, CaseIterable {
        /// The request is not JSON, or a field is missing or has the wrong type. HTTP 400.
        case badRequest = "bad_request"
        /// The body has a field that this route does not know. HTTP 400.
        case unknownField = "unknown_field"
        /// The server does not know this frame, or the caller's side may not send it. HTTP 400.
        case unknownFrame = "unknown_frame"
        /// The credentials are missing, expired or forged. HTTP 401.
        case notSignedIn = "not_signed_in"
        /// The server's clock is wrong, or was ahead when the credentials were issued. The client keeps what it has and
        /// waits. HTTP 503.
        case notYetValid = "not_yet_valid"
        /// The brand has no identity provider that could sign consumers in. HTTP 409.
        case signInNotSetUp = "sign_in_not_set_up"
        /// The ID token is expired, forged, or not for this brand; the audit log has the reason. HTTP 401.
        case idTokenRefused = "id_token_refused"
        /// The text has no public key that could verify ID tokens, or a private key. HTTP 422.
        case providerKeysRefused = "provider_keys_refused"
        /// The email address or the password is wrong; the answer does not say which. HTTP 401.
        case loginFailed = "login_failed"
        /// The password is right, and the person's second factor is needed too: send the same request with `code`.
        /// HTTP 401.
        case secondFactorRequired = "second_factor_required"
        /// The code of the second factor is wrong or was used before. HTTP 401.
        case secondFactorWrong = "second_factor_wrong"
        /// The brand requires a second factor, and the person has to set one up before anything else. HTTP 403.
        case secondFactorSetupRequired = "second_factor_setup_required"
        /// The caller does not have the required permission; the text names it. HTTP 403.
        case forbidden
        /// The operator of the server suspended the brand. HTTP 403.
        case suspended
        /// The brand blocked this consumer. HTTP 403.
        case blocked
        /// The `Origin` header is neither the server's own nor allowed by the app. HTTP 403.
        case originRefused = "origin_refused"
        /// The header `X-Earshot-CSRF` is missing or wrong. HTTP 403.
        case csrf
        /// The brand turned voice messages off: for everyone, for this role, or on this channel. HTTP 403.
        case audioOff = "audio_off"
        /// The brand turned calls of this kind off, or the channel has none. HTTP 403.
        case callsOff = "calls_off"
        /// The original recording was not scanned, and the brand does not allow the download of unscanned originals.
        /// HTTP 403.
        case originalRefused = "original_refused"
        /// The thing does not exist or is not the caller's; the answer does not say which. HTTP 404.
        case notFound = "not_found"
        /// The route does not support this HTTP method. HTTP 405.
        case methodNotAllowed = "method_not_allowed"
        /// The request's headers or body did not arrive in time. HTTP 408.
        case timeout
        /// The idempotency key was used before for other content. HTTP 409.
        case keyReused = "key_reused"
        /// Another agent answers the conversation; the text names the agent. HTTP 409.
        case alreadyTaken = "already_taken"
        /// The agent must take the conversation before answering it. HTTP 409.
        case notAssigned = "not_assigned"
        /// The conversation is closed. HTTP 409.
        case alreadyClosed = "already_closed"
        /// The offer has expired, or another agent accepted it. HTTP 409.
        case offerGone = "offer_gone"
        /// The agent is at capacity and cannot accept an offer. HTTP 409.
        case overCapacity = "over_capacity"
        /// The brand has no skill with this id. HTTP 422.
        case unknownSkill = "unknown_skill"
        /// The brand has no agent with this id. HTTP 422.
        case unknownAgent = "unknown_agent"
        /// The person's profile does not let them answer, so nothing is transferred to them. HTTP 422.
        case mayNotAnswer = "may_not_answer"
        /// The skill requires a wrap-up code before the conversation can be closed. HTTP 409.
        case dispositionRequired = "disposition_required"
        /// The close can no longer be taken back. HTTP 409.
        case reopenExpired = "reopen_expired"
        /// The consumer does not wait for an answer. HTTP 409.
        case nothingUnanswered = "nothing_unanswered"
        /// There is a call or an invitation in this conversation already. HTTP 409.
        case callUnderWay = "call_under_way"
        /// The agent is in another call. HTTP 409.
        case inCall = "in_call"
        /// Another device of the consumer accepted the call. HTTP 409.
        case callAnswered = "call_answered"
        /// The call has ended. HTTP 409.
        case callOver = "call_over"
        /// Another device takes part in the call. HTTP 409.
        case callElsewhere = "call_elsewhere"
        /// The consumer asked to be called already. HTTP 409.
        case callRequested = "call_requested"
        /// No survey is open for the conversation. HTTP 409.
        case surveyClosed = "survey_closed"
        /// Another person changed the section since the caller read it. HTTP 409.
        case stale
        /// The change would leave the brand without a person who may manage people. HTTP 409.
        case lastAdministrator = "last_administrator"
        /// The link was used, was replaced or has ended. HTTP 404.
        case linkInvalid = "link_invalid"
        /// The brand has a person with this e-mail address already. HTTP 409.
        case addressTaken = "address_taken"
        /// Bytes before the given offset are missing; continue at `received`. HTTP 409.
        case uploadGap = "upload_gap"
        /// A message already uses this recording. HTTP 409.
        case uploadSent = "upload_sent"
        /// The upload is finished, or the draft belongs to another recording. HTTP 409.
        case uploadFinished = "upload_finished"
        /// Bytes of a recording that were sent again differ from those that arrived first. HTTP 409.
        case uploadMismatch = "upload_mismatch"
        /// Bytes of a recording do not have the digest that the request states. HTTP 400.
        case digestMismatch = "digest_mismatch"
        /// The recording waits for the scanner, and only its author can play it. HTTP 409.
        case audioPending = "audio_pending"
        /// The body exceeds the route's limit, in bytes. HTTP 413.
        case tooLarge = "too_large"
        /// The recording exceeds `Limits.audioBytes`. HTTP 413.
        case audioTooLarge = "audio_too_large"
        /// The bytes are not in a supported audio format, or hold no sound. HTTP 415.
        case notAudio = "not_audio"
        /// The text exceeds the limit, counted in Unicode scalars. HTTP 422.
        case textTooLong = "text_too_long"
        /// The text is empty or only white space. HTTP 422.
        case textEmpty = "text_empty"
        /// The recording has no bytes, or no samples could be decoded. HTTP 422.
        case audioEmpty = "audio_empty"
        /// The recording is longer than the brand allows; `limit` is in milliseconds. HTTP 422.
        case audioTooLong = "audio_too_long"
        /// The recording begins as audio, but is truncated or does not decode. HTTP 422.
        case audioDamaged = "audio_damaged"
        /// The decoder crashed or took too long; the client can call `finish` again. HTTP 422.
        case audioFailed = "audio_failed"
        /// The scanner found something harmful in the recording. HTTP 422.
        case audioBlocked = "audio_blocked"
        /// A setting is out of range; `limit` is the bound that was exceeded. HTTP 422.
        case settingOutOfRange = "setting_out_of_range"
        /// A value is out of range; `limit` is the bound that was exceeded. HTTP 422.
        case outOfRange = "out_of_range"
        /// The idempotency key is not 1 to 64 of `[A-Za-z0-9_-]`. HTTP 422.
        case badKey = "bad_key"
        /// The caller sent too many requests and must wait. HTTP 429.
        case rateLimited = "rate_limited"
        /// The agent's socket already watches `Limits.watches` conversations. HTTP 400.
        case tooManyWatches = "too_many_watches"
        /// The request's headers exceed 16 KiB. HTTP 431.
        case headersTooLarge = "headers_too_large"
        /// Storage does not answer, or the server is shutting down; retry with the same key. HTTP 503.
        case unavailable
        /// The search took longer than `Limits.searchMs`. HTTP 503.
        case searchTooSlow = "search_too_slow"
        /// The server has no disk space left for what was sent. HTTP 507.
        case storageFull = "storage_full"
        /// What is stored of this conversation cannot be read; the operator has to repair it. HTTP 500.
        case damaged
    }
}

extension Rejection {
    /// The same answer for "does not exist" and "is not yours", so that a caller cannot probe which ids exist.
    public static let notFound = Rejection(.notFound, "There is no such thing here.")
    /// The answer to every request of a brand that the operator suspended.
    public static let suspended = Rejection(.suspended, "This brand is suspended. Ask the server's operator why.")
    /// The answer to every request of a blocked consumer.
    public static let blocked = Rejection(.blocked, "You can no longer write to this brand.")
    /// The answer to a request without valid credentials.
    public static let notSignedIn = Rejection(.notSignedIn, "Sign in first.")
    /// The answer to consumers while the server's clock is wrong, and to credentials that were issued while it was
    /// ahead.
    public static let notYetValid = Rejection(
        .notYetValid, "Earshot cannot sign you in yet, because its clock is wrong. Nothing is lost. Try again later.",
        retryAfter: 30)
    /// The answer to requests for something that is stored but cannot be read.
    public static let damaged = Rejection(
        .damaged, "This conversation cannot be shown because its stored data is damaged. Ask the server's operator.",
        retryAfter: 60)
    /// The answer to a change for which the disk has no space.
    public static let diskFull = Rejection(
        .storageFull, "Earshot cannot save this because its disk is full. Try again later.", retryAfter: 5)
    /// The answer while storage does not respond or the server shuts down. The client retries after one second.
    public static let unavailable = Rejection(
        .unavailable, "Earshot cannot do this right now. Try again in a moment.", retryAfter: 1)
}
