/// What a client may know about an error code: its HTTP status, whether to try again, whether it ends the command, and
/// what it means. docs/protocol.md section 5, docs/schema/codes.json and Web/protocol/codes.ts are generated from this
/// list.
public struct ErrorEntry: Hashable, Sendable {
    /// The HTTP status that carries the code. On the socket the code is in `no`, `problem` or `bye`.
    public let status: Int
    /// Whether the same request can succeed later.
    public let retry: Retry
    /// Whether the client drops the command from its outbox: the answer will not change.
    public let endsCommand: Bool
    /// What happened, in plain English.
    public let meaning: String

    /// Whether, and when, trying again makes sense.
    public enum Retry: String, Hashable, Sendable, CaseIterable {
        /// The same request is refused again: show it to the person.
        case never = "no"
        /// Send the same request with the same key again, after `retryAfter` seconds or `after` milliseconds, else
        /// with back-off.
        case later
        /// Only after a new sign-in.
        case afterSignIn = "after signing in"
        /// Only after the person has changed something: the content, or the state of the conversation.
        case afterChange = "after a change"
    }

    init(_ status: Int, _ retry: Retry, ends endsCommand: Bool = true, _ meaning: String) {
        self.status = status
        self.retry = retry
        self.endsCommand = endsCommand
        self.meaning = meaning
    }
}

extension Rejection.Code {
    /// The HTTP status that carries this code.
    public var status: Int { entry.status }

    /// What the catalogue says about this code.
    public var entry: ErrorEntry { accessEntry ?? conversationEntry ?? callEntry ?? recordingEntry ?? requestEntry }

    /// Who may do what.
    private var accessEntry: ErrorEntry? {
        switch self {
        case .notSignedIn: .init(401, .afterSignIn, ends: false, "no, expired or forged credentials")
        case .notYetValid:
            .init(
                503, .later, ends: false,
                """
                the server's clock is wrong, or was ahead when the credentials were issued: keep what you have and wait
                """)
        case .signInNotSetUp: .init(409, .never, "the brand has no identity provider that could sign consumers in")
        case .idTokenRefused:
            .init(
                401, .afterChange,
                "the ID token is expired, forged or not for this brand (the brand's audit log has the reason)")
        case .providerKeysRefused:
            .init(
                422, .afterChange,
                "the keys cannot verify ID tokens, or one of them is private (the text has the reason)")
        case .loginFailed: .init(401, .afterChange, "the email address or the password is wrong (never says which)")
        case .secondFactorRequired:
            .init(
                401, .afterChange, "the password is right, and a code is needed too: send the request again with `code`"
            )
        case .secondFactorWrong: .init(401, .afterChange, "the code is wrong, or was used before")
        case .secondFactorSetupRequired:
            .init(403, .afterChange, "the brand requires a second factor, which you have to set up first")
        case .forbidden: .init(403, .never, "your role does not have this permission")
        case .suspended: .init(403, .never, ends: false, "the operator of this server suspended the brand")
        case .blocked: .init(403, .never, ends: false, "the brand blocked this consumer")
        case .originRefused: .init(403, .never, "the `Origin` is not allowed: section 1")
        case .csrf: .init(403, .afterSignIn, ends: false, "the header `X-Earshot-CSRF` is missing or wrong: section 1")
        case .audioOff:
            .init(
                403, .never,
                """
                the brand does not share voice messages here (for everyone, for your role, or on this channel: the \
                text says which)
                """
            )
        case .originalRefused:
            .init(403, .never, "the recording was not scanned, and the brand does not hand out unscanned originals")
        case .notFound: .init(404, .never, "there is no such thing, or it is not yours: the same answer")
        default: nil
        }
    }

    /// The state of a conversation, of an offer, of the settings.
    private var conversationEntry: ErrorEntry? {
        switch self {
        case .keyReused:
            .init(
                409, .afterChange,
                """
                the idempotency key was used for something else: send it with a new key
                """)
        case .alreadyTaken: .init(409, .never, "another agent answers (the text has the name)")
        case .notAssigned: .init(409, .afterChange, "take the conversation before you answer it")
        case .alreadyClosed: .init(409, .never, "the conversation is closed")
        case .offerGone: .init(409, .never, "the offer has expired, or another agent has it")
        case .overCapacity: .init(409, .afterChange, "an offer was taken by an agent at capacity")
        case .dispositionRequired: .init(409, .afterChange, "choose a wrap-up code before you close the conversation")
        case .reopenExpired:
            .init(
                409, .never,
                """
                the close can no longer be taken back: too late, open again, or the survey was answered
                """)
        case .nothingUnanswered: .init(409, .never, "the brand wrote last: nothing needs an answer")
        case .surveyClosed: .init(409, .never, "no survey is open")
        case .stale: .init(409, .afterChange, "someone else changed the same section since you read it: read it again")
        case .linkInvalid:
            .init(404, .never, "the link was used, was replaced or has ended: ask a manager for a new one")
        case .addressTaken: .init(409, .afterChange, "the brand has a person with this e-mail address already")
        case .lastAdministrator: .init(409, .never, "no one who may change people would be left")
        case .unknownSkill: .init(422, .afterChange, "there is no such skill")
        case .unknownAgent: .init(422, .afterChange, "no one with this id works at the brand")
        case .mayNotAnswer: .init(422, .afterChange, "this person's profile does not let them answer")
        case .textTooLong: .init(422, .afterChange, "over the limit (`limit`), counted in Unicode scalars")
        case .textEmpty: .init(422, .afterChange, "nothing but white space")
        case .settingOutOfRange:
            .init(
                422, .afterChange,
                """
                a setting is out of range (`limit`: the bound that was crossed)
                """)
        case .outOfRange: .init(422, .afterChange, "a value is out of range (`limit`: the bound that was crossed)")
        case .badKey: .init(422, .afterChange, "an idempotency key has 1 to 64 of `[A-Za-z0-9_-]`")
        case .tooManyWatches: .init(400, .afterChange, "`unwatch` a conversation first (`limit`)")
        default: nil
        }
    }

    /// Calls.
    private var callEntry: ErrorEntry? {
        switch self {
        case .callsOff: .init(403, .never, "the brand has not turned such calls on, or the channel has none")
        case .callUnderWay: .init(409, .afterChange, "there is a call or an invitation in the conversation already")
        case .inCall: .init(409, .afterChange, "you are in another call")
        case .callAnswered: .init(409, .never, "another device or tab accepted the call")
        case .callOver: .init(409, .never, "the call has ended")
        case .callElsewhere: .init(409, .never, "another device takes part in the call, or you do not")
        case .callRequested: .init(409, .never, "you asked to be called already")
        default: nil
        }
    }

    /// Uploads and what is in them.
    private var recordingEntry: ErrorEntry? {
        switch self {
        case .uploadGap: .init(409, .afterChange, "bytes are missing before this offset: continue at `received`")
        case .uploadSent: .init(409, .never, "a message carries this recording already")
        case .uploadFinished: .init(409, .never, "the upload is finished, or the draft belongs to another recording")
        case .uploadMismatch:
            .init(409, .afterChange, "bytes sent again differ from those that arrived: discard the upload, begin again")
        case .digestMismatch:
            .init(400, .later, "the bytes do not have the digest that the request states: send them again")
        case .audioPending:
            .init(409, .later, "the recording waits for the scanner; until then only its author can play it")
        case .audioTooLarge: .init(413, .never, "the recording is over 16 MiB (`limit`)")
        case .notAudio:
            .init(
                415, .never,
                "not WebM, Ogg, MP4, 3GP, CAF, AMR, MP3 or WAV by its bytes, or no sound in a codec that Earshot reads")
        case .audioEmpty: .init(422, .never, "no bytes, or nothing decodes")
        case .audioTooLong:
            .init(422, .never, "over the account's limit (`limit`, milliseconds), by decoded samples")
        case .audioDamaged: .init(422, .never, "begins as audio, but ends inside an element or does not decode")
        case .audioFailed: .init(422, .later, "the decoder crashed or took too long: `finish` may be tried again")
        case .audioBlocked: .init(422, .never, "the scanner found something harmful in it")
        case .storageFull: .init(507, .later, ends: false, "the server has no space left for what was sent")
        default: nil
        }
    }

    /// The request itself, and the server's state. Exhaustive together with the others: Tests/EarshotModel.
    private var requestEntry: ErrorEntry {
        switch self {
        case .unknownField: .init(400, .never, "a field that this route does not know")
        case .unknownFrame: .init(400, .never, "a frame that this server does not know, or that your role may not send")
        case .methodNotAllowed: .init(405, .never, "this route has no such method (`Allow`)")
        case .timeout: .init(408, .later, ends: false, "headers or body took too long")
        case .tooLarge: .init(413, .never, "the body is over the route's limit (`limit`, bytes)")
        case .rateLimited: .init(429, .later, ends: false, "too many requests: wait for `retryAfter` or `after`")
        case .headersTooLarge: .init(431, .never, "the headers are over 16 KiB")
        case .searchTooSlow:
            .init(503, .later, "the search took over 2 seconds: add a word or a filter, or shorten the period")
        case .unavailable:
            .init(503, .later, ends: false, "storage does not answer, or the server is going away: use the same key")
        case .damaged:
            .init(500, .later, ends: false, "what is stored cannot be read, until the server's operator repairs it")
        default: .init(400, .never, "not JSON, a field is missing or of the wrong type")
        }
    }
}
