public import EarshotModel

/// Decides the commands of calls: invite, accept, end, and ask to be called.
///
/// The log is the only judge of a race: two devices accept, or one accepts while the other side cancels, and exactly
/// one of them is first.
public struct CallDecision {
    private let state: ConversationState
    private let actor: Actor
    private let context: Context

    /// Decides commands of this person for this conversation.
    public init(_ state: ConversationState, by actor: Actor, in context: Context) {
        self.state = state
        self.actor = actor
        self.context = context
    }

    /// The facts that follow from a command.
    func facts(for command: Command) throws(Rejection) -> [Fact] {
        switch (command, actor) {
        case (.invite(let kind), .agent): return try invited(to: kind)
        case (.answerCall(let number), .consumer): return try answered(number)
        case (.hangUp(let hangUp), _): return try hungUp(hangUp)
        case (.requestCall(let kind), .consumer): return try requested(kind)
        case (.invite, _): throw Rejection(.forbidden, "Only the brand's people can invite to a call.")
        default: throw state.status == .new ? .notFound : Rejection(.forbidden, "Only the customer can do this.")
        }
    }

    /// - Throws: why this person can invite to no call at all here: `calls_off`, `not_assigned`, `already_closed`,
    ///   `not_found`.
    public func checkInvitation() throws(Rejection) {
        guard state.status != .new else { throw .notFound }
        try checkChannel()
        guard CallKind.allCases.contains(where: context.calls.allows) else { throw off }
        _ = try inviting()
    }

    private func invited(to kind: CallKind) throws(Rejection) -> [Fact] {
        guard state.status != .new else { throw .notFound }
        try checkCalls(kind)
        let number = try inviting()
        guard state.routing.call == nil else { throw underWay }
        guard !context.isInCall else {
            throw Rejection(.inCall, "You are in another call. End it first.")
        }
        let until = context.now.adding(seconds: Limits.invitationSeconds)
        return [Fact(number, .callInvited(.init(kind: kind, until: until)))]
    }

    private func answered(_ number: Int) throws(Rejection) -> [Fact] {
        let call = try ongoing(number)
        guard call.answeredAt == nil else {
            throw Rejection(.callAnswered, "You answered this call on another device or in another tab.")
        }
        // Its end is written a moment later.
        guard context.now < call.until else { throw over }
        return [Fact(.consumer, .callAnswered(.init(of: number)))]
    }

    private func hungUp(_ hangUp: HangUp) throws(Rejection) -> [Fact] {
        let call = try ongoing(hangUp.call)
        guard let number = state.participant(actor), number == .consumer || number == call.by else {
            throw Rejection(.notAssigned, "This is a colleague’s call.")
        }
        let why: CallEnding.Why =
            if hangUp.failed == true {
                .failed
            } else if call.answeredAt != nil {
                .hungUp
            } else { number == .consumer ? .declined : .cancelled }
        return [Fact(number, .callEnded(call.ending(why, at: context.now, quality: hangUp.quality)))]
    }

    private func requested(_ kind: CallKind) throws(Rejection) -> [Fact] {
        guard state.status != .new else { throw .notFound }
        try checkCalls(kind)
        guard context.calls.requests else { throw off }
        guard state.status != .closed else { throw alreadyClosed }
        guard state.routing.call == nil else { throw underWay }
        guard state.routing.wantedCall == nil else {
            throw Rejection(.callRequested, "You asked for a call already.")
        }
        return [Fact(.consumer, .callRequested(.init(kind: kind)))]
    }

    private func ongoing(_ number: Int) throws(Rejection) -> OngoingCall {
        guard state.status != .new else { throw .notFound }
        guard let call = state.routing.call, call.number == number else { throw over }
        return call
    }

    /// The number of the person, who answers this conversation and so may invite to a call.
    private func inviting() throws(Rejection) -> ParticipantNumber {
        guard state.status == .open, let number = state.assignee, number == state.participant(actor) else {
            throw state.status == .closed ? alreadyClosed : state.notAssigned
        }
        return number
    }

    private func checkChannel() throws(Rejection) {
        guard state.identity.channel.hasCalls else {
            throw Rejection(.callsOff, "There are no calls on this channel.")
        }
    }

    private func checkCalls(_ kind: CallKind) throws(Rejection) {
        try checkChannel()
        guard context.calls.allows(kind) else { throw off }
    }

    private var off: Rejection { Rejection(.callsOff, "The brand has not turned these calls on.") }
    private var over: Rejection { Rejection(.callOver, "This call has ended.") }
    private var underWay: Rejection { Rejection(.callUnderWay, "There is a call in this conversation already.") }
    private var alreadyClosed: Rejection { Rejection(.alreadyClosed, "This conversation is closed.") }

    /// These facts, with the end of the call where they close the conversation or give it to someone else.
    static func endingCall(of state: ConversationState, with facts: [Fact], at now: Timestamp?) -> [Fact] {
        guard let call = state.routing.call else { return facts }
        let takenAway = facts.first { fact in
            switch fact.kind {
            case .closed, .queued: true
            case .assigned(let assigned): assigned.to != call.by
            default: false
            }
        }
        guard let fact = takenAway else { return facts }
        // The last fact is the one that the command is about.
        return [Fact(fact.by, .callEnded(call.ending(.closed, at: now)))] + facts
    }
}
