/// What is said in a call: sound alone, or sound and pictures.
public enum CallKind: String, Hashable, Codable, Sendable, CaseIterable {
    /// Sound alone.
    case voice
    /// Sound and pictures; each side may still leave its camera off.
    case video
}

/// An agent invites the consumer to a call. The number of this event in its conversation is the call's number.
public struct CallInvitation: Hashable, Codable, Sendable {
    /// What is offered.
    public let kind: CallKind
    /// When the invitation ends unanswered.
    public let until: Timestamp

    /// Makes the content of a `callInvited` event.
    public init(kind: CallKind, until: Timestamp) {
        (self.kind, self.until) = (kind, until)
    }
}

/// The consumer accepted an invitation.
public struct CallAnswer: Hashable, Codable, Sendable {
    /// The call's number.
    public let of: Int

    /// Makes the content of a `callAnswered` event.
    public init(of: Int) { self.of = of }
}

/// A call ended.
public struct CallEnding: Hashable, Codable, Sendable {
    /// The call's number.
    public let of: Int
    /// Why it ended; the event's author says who ended it.
    public let why: Why
    /// How long the two could talk, in milliseconds since the answer. `nil` if the invitation was never answered.
    public let ms: Int64?
    /// How good the connection was, as a device measured it. `nil` where no device said so.
    public let quality: CallQuality?

    /// Makes the content of a `callEnded` event.
    public init(of: Int, why: Why, ms: Int64? = nil, quality: CallQuality? = nil) {
        (self.of, self.why, self.ms, self.quality) = (of, why, ms, quality)
    }

    /// The reason for an end.
    public enum Why: String, Hashable, Codable, Sendable, CaseIterable {
        /// The consumer refused the invitation.
        case declined
        /// The agent took the invitation back.
        case cancelled
        /// Nobody answered the invitation in time.
        case unanswered
        /// One side hung up.
        case hungUp
        /// A device left and did not come back.
        case left
        /// The conversation was closed or given to someone else.
        case closed
        /// No connection came about, or it was lost. A reason that this version does not know decodes as `failed`.
        case failed

        public init(from decoder: any Decoder) throws {
            self = Why(rawValue: try decoder.singleValueContainer().decode(String.self)) ?? .failed
        }
    }
}

/// How good the connection of a call was, as one device measured it.
public struct CallQuality: Hashable, Codable, Sendable {
    /// Packets of sound that were lost, in thousandths.
    public let lost: Int
    /// The jitter in milliseconds.
    public let jitterMs: Int
    /// The round trip in milliseconds.
    public let rttMs: Int
    /// An estimate of what a listener would say, from 100 (bad) to 450 (excellent), in hundredths: ITU-T G.107.
    public let mos: Int
    /// Whether a relay carried the media.
    public let relayed: Bool

    /// Makes a report. `nil` where a number is out of its range (`Limits.callQuality`).
    public init?(lost: Int, jitterMs: Int, rttMs: Int, mos: Int, relayed: Bool) {
        guard (0...1000).contains(lost), Limits.callDelayMs.contains(jitterMs), Limits.callDelayMs.contains(rttMs),
            (100...450).contains(mos)
        else { return nil }
        (self.lost, self.jitterMs, self.rttMs, self.mos, self.relayed) = (lost, jitterMs, rttMs, mos, relayed)
    }

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        let quality = CallQuality(
            lost: try fields.decode(Int.self, forKey: .lost), jitterMs: try fields.decode(Int.self, forKey: .jitterMs),
            rttMs: try fields.decode(Int.self, forKey: .rttMs), mos: try fields.decode(Int.self, forKey: .mos),
            relayed: try fields.decode(Bool.self, forKey: .relayed))
        guard let quality else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "a figure of the call is out of its range"))
        }
        self = quality
    }
}

/// A consumer asks to be called.
public struct CallRequest: Hashable, Codable, Sendable {
    /// What the consumer asks for.
    public let kind: CallKind

    /// Makes the content of a `callRequested` event.
    public init(kind: CallKind) { self.kind = kind }
}

/// The end of a call, as a device asks for it.
public struct HangUp: Hashable, Codable, Sendable {
    /// The call's number.
    public let call: Int
    /// `true` if the device could not connect, or lost the connection; else `nil`.
    public let failed: Bool?
    /// What the device measured.
    public let quality: CallQuality?

    /// Makes a request; `failed: false` is sent as `nil`.
    public init(call: Int, failed: Bool = false, quality: CallQuality? = nil) {
        (self.call, self.failed, self.quality) = (call, failed ? true : nil, quality)
    }
}
