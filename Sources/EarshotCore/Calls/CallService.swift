import Crypto
import EarshotDomain
public import EarshotModel
import Synchronization

/// Connects the two devices of each call: lets them take part, passes on what they tell each other, and ends calls
/// whose devices do not come back.
///
/// What a call is, and that it has ended, the log says. Everything here is in memory only.
public final class CallService: Sendable {
    private let log: any ConversationStore
    private let routing: RoutingService
    private let settings: SettingsService
    private let now: @Sendable () -> Timestamp
    private let relay: CallRelay
    private let rooms = Mutex(CallRooms())

    /// Creates the service.
    public init(
        log: any ConversationStore, routing: RoutingService, settings: SettingsService,
        environment: SystemEnvironment, relay: CallRelay
    ) {
        (self.log, self.routing, self.settings) = (log, routing, settings)
        (now, self.relay) = (environment.now, relay)
    }

    /// - Throws: why the caller can invite to no call here: `calls_off`, `not_assigned`, `already_closed`, `not_found`.
    public func checkInvitation(in conversation: OpenConversation) async throws {
        guard let state = try await log.view(conversation.id, after: nil, limit: 1)?.state else {
            throw Rejection.notFound
        }
        var context = Context(now: now())
        context.calls = settings.calls(of: conversation.caller.account)
        try CallDecision(state, by: conversation.actor, in: context).checkInvitation()
    }

    /// Asks a device of this side what it could do for a call.
    public func check(_ conversation: ConversationID, for leg: CallLeg) -> CallCheck {
        // Calls are counted from 1: this is none of them.
        let servers = relay.servers(for: leg, of: CallAddress(conversation, 0), at: now())
        return CallCheck(in: leg == .agent ? conversation : nil, ice: servers, relayOnly: relay.isRequired)
    }

    /// Lets a device take part in an answered call.
    /// - Throws: `call_over`, `call_elsewhere`, `not_assigned` for someone whose call it is not.
    public func join(
        _ join: ClientFrame.JoinCall, in conversation: OpenConversation, as peer: any CallPeer
    ) async throws {
        let address = CallAddress(conversation.id, join.call)
        let leg = try await leg(of: conversation, in: address)
        let told = try rooms.withLock { rooms throws(Rejection) in
            try rooms.join(
                address, leg, .init(device: join.device, isFresh: join.isFresh, peer: peer), at: now())
        }
        for (peer, state) in told { peer.tell(state, of: address) }
    }

    /// How the call stands for a device of this side.
    public func status(_ state: CallStatus.State, of call: CallAddress, for leg: CallLeg)
        -> CallStatus
    {
        // A consumer has one conversation, which no frame names.
        CallStatus(
            id: call.number, in: leg == .agent ? call.conversation : nil, state: state, polite: leg == .consumer,
            ice: relay.servers(for: leg, of: call, at: now()), relayOnly: relay.isRequired)
    }

    /// Passes a signal on to the other device. It is lost while that is away.
    /// - Throws: `call_elsewhere`, `rate_limited`, `too_large`, `bad_request` for an address that is no relay's where
    ///   only those are allowed.
    public func pass(_ signal: ClientFrame.SignalCall, in conversation: OpenConversation, from peer: any CallPeer)
        throws(Rejection)
    {
        let address = CallAddress(conversation.id, signal.call)
        guard signal.signal.isWithinLimits else {
            throw Rejection(.tooLarge, "This signal is too large.", limit: Limits.descriptionBytes)
        }
        if relay.isRequired { try signal.signal.checkRelayed() }
        let other = try rooms.withLock { rooms throws(Rejection) in
            try rooms.other(than: peer, conversation.caller.leg, in: address, at: now())
        }
        other?.pass(signal.signal, of: address)
    }

    /// A device's socket ended.
    public func leave(_ peer: any CallPeer) {
        let others = rooms.withLock { $0.leave(peer, at: now()) }
        for (call, other) in others { other.tell(.gone, of: call) }
    }

    /// Ends the calls whose devices have been away for too long. Call it every second.
    public func endAbandoned() async {
        let calls = routing.answeredCalls()
        let abandoned = rooms.withLock { rooms in
            if calls.isEmpty, rooms.isEmpty { return [] as [(call: CallAddress, why: CallEnding.Why)] }
            rooms.keep(calls, at: now())
            return rooms.abandoned(at: now())
        }
        for (call, why) in abandoned { await end(call, why) }
    }

    /// What fails is tried again a second later.
    private func end(_ call: CallAddress, _ why: CallEnding.Why) async {
        let action = RoutingAction.endCall(call.number, why)
        let key = IdempotencyKey(trusted: "gone-\(call.number)")
        var context = RoutingActionContext()
        context.now = now()
        let change = Change(
            .existing(call.conversation),
            .init(
                author: ActionPerformer.author, key: key,
                digest: Array(SHA256.hash(data: Array(key.rawValue.utf8)).prefix(16)), at: now())
        ) { [context] state throws(Rejection) in try state.decide(action, in: context) }
        await withCheckedContinuation { continuation in
            log.change(change) { _ in continuation.resume() }
        }
    }

    /// The side of a call on which this person is.
    private func leg(of conversation: OpenConversation, in call: CallAddress) async throws -> CallLeg {
        let state = try await log.view(conversation.id, after: nil, limit: 1)?.state
        guard let state, let ongoing = state.routing.call, ongoing.number == call.number, ongoing.answeredAt != nil
        else { throw Rejection(.callOver, "This call has ended.") }
        guard case .agent(let agent) = conversation.caller else { return .consumer }
        guard agent.id == state.person(ongoing.by)?.id else {
            throw Rejection(.notAssigned, "This is a colleague’s call.")
        }
        return .agent
    }
}

extension Caller {
    /// The side of calls on which the caller is.
    public var leg: CallLeg {
        switch self {
        case .consumer: .consumer
        case .agent: .agent
        }
    }
}

extension CallSignal {
    /// - Throws: `bad_request` for an address that is no relay's: it would tell the other side where the device is.
    fileprivate func checkRelayed() throws(Rejection) {
        let candidates: [Substring] =
            switch self {
            case .candidate(let candidate): candidate.candidate.isEmpty ? [] : [candidate.candidate[...]]
            case .description(let description):
                description.sdp.split(whereSeparator: \.isNewline).filter { $0.hasPrefix("a=candidate:") }
            case .media: []
            }
        guard candidates.allSatisfy({ $0.contains(" typ relay") }) else {
            throw Rejection(.badRequest, "Only addresses of a relay may be used here.")
        }
    }
}
