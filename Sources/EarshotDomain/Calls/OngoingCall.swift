public import EarshotModel

/// A call of a conversation from its invitation to its end: what the log says about it.
///
/// How its devices connect is not part of it: a provider's call is the same.
public struct OngoingCall: Hashable, Codable, Sendable {
    /// Its number: that of the invitation in the conversation.
    public let number: Int
    /// What is said in it.
    public let kind: CallKind
    /// Who invited the consumer.
    public let by: ParticipantNumber
    /// When the invitation ends unanswered.
    public let until: Timestamp
    /// When the consumer accepted. `nil` while they are invited.
    public private(set) var answeredAt: Timestamp?

    init(number: Int, _ invitation: CallInvitation, by: ParticipantNumber) {
        (self.number, kind, self.by, until) = (number, invitation.kind, by, invitation.until)
    }

    mutating func answer(at moment: Timestamp) { answeredAt = moment }

    /// The end of this call at this moment, with how long it lasted since the answer.
    func ending(_ why: CallEnding.Why, at now: Timestamp?, quality: CallQuality? = nil) -> CallEnding {
        let length = answeredAt.flatMap { answered in now.map { max(0, $0.milliseconds - answered.milliseconds) } }
        return CallEnding(of: number, why: why, ms: length, quality: length == nil ? nil : quality)
    }
}
