import EarshotDomain
public import EarshotModel

/// A device of a call, as far as it can be told something.
public protocol CallPeer: AnyObject, Sendable {
    /// `true` from the moment on in which it can be told nothing more; set before the service is told that it left.
    var isGone: Bool { get }
    /// Tells the device how the call stands.
    func tell(_ state: CallStatus.State, of call: CallAddress)
    /// Passes on what the other device said.
    func pass(_ signal: CallSignal, of call: CallAddress)
}

/// Which call: its conversation, and its number in it.
public struct CallAddress: Hashable, Sendable {
    /// The conversation.
    public let conversation: ConversationID
    /// The call's number.
    public let number: Int

    /// Makes the value.
    public init(_ conversation: ConversationID, _ number: Int) {
        (self.conversation, self.number) = (conversation, number)
    }
}

/// One side of a call.
public enum CallLeg: Hashable, Sendable, CaseIterable {
    /// The person who writes to the brand.
    case consumer
    /// The agent who invited them.
    case agent

    var other: CallLeg { self == .consumer ? .agent : .consumer }
}

/// The devices of the calls that go on: who takes part, who is gone, and who may tell whom something. Pure but for the
/// devices that it is given: the caller says what time it is.
///
/// It keeps nothing of what the devices say, and forgets a call when it ends.
struct CallRooms {
    /// A device that takes part.
    struct Arrival {
        let device: DeviceID
        /// Whether its page has just been loaded.
        let isFresh: Bool
        let peer: any CallPeer
    }

    /// One side's device.
    private struct Seat {
        var device: DeviceID?
        var peer: (any CallPeer)?
        /// The device must be back by then.
        var missingUntil: Timestamp?
        var signals = LeakyBucket()
    }

    private struct Room {
        var seats: [CallLeg: Seat]
        /// A page was loaded since both were there: both make a new connection.
        var beginsAgain = false
        /// Until then it is kept, although routing does not know the call yet.
        let knownBy: Timestamp

        init(at now: Timestamp) {
            knownBy = now.adding(milliseconds: CallRooms.lagMs)
            let until = now.adding(milliseconds: Int64(Limits.callReturnSeconds) * 1000)
            seats = Dictionary(uniqueKeysWithValues: CallLeg.allCases.map { ($0, Seat(missingUntil: until)) })
        }
    }

    private static let rule = LeakyBucket.Rule(
        burst: Limits.callSignals, refillMs: Int64(60_000 / Limits.callSignals))

    /// How long routing may take to learn of a call.
    private static let lagMs: Int64 = 5_000

    private var rooms: [CallAddress: Room] = [:]

    /// Whether no call goes on.
    var isEmpty: Bool { rooms.isEmpty }

    /// Takes over which calls go on: each must be joined by both sides soon, and what is over is forgotten.
    mutating func keep(_ calls: Set<CallAddress>, at now: Timestamp) {
        rooms = rooms.filter { call, room in calls.contains(call) || now < room.knownBy }
        for call in calls where rooms[call] == nil { rooms[call] = Room(at: now) }
    }

    /// A device takes part, for the first time or again.
    /// - Returns: what to tell each device that is there. Nothing where the device left meanwhile.
    /// - Throws: `call_elsewhere` where another device of this side takes part.
    mutating func join(
        _ call: CallAddress, _ leg: CallLeg, _ arrival: Arrival, at now: Timestamp
    ) throws(Rejection) -> [(peer: any CallPeer, state: CallStatus.State)] {
        let peer = arrival.peer
        guard !peer.isGone else { return [] }
        var room = rooms[call] ?? Room(at: now)
        var seat = room.seats[leg] ?? Seat()
        guard seat.device ?? arrival.device == arrival.device else { throw Self.elsewhere }
        (seat.device, seat.peer, seat.missingUntil) = (arrival.device, peer, nil)
        room.seats[leg] = seat
        if arrival.isFresh { room.beginsAgain = true }
        defer { rooms[call] = room }
        let other = room.seats[leg.other]
        guard let otherPeer = other?.peer else { return [(peer, other?.device == nil ? .waiting : .gone)] }
        let state: CallStatus.State = room.beginsAgain ? .begin : .resync
        room.beginsAgain = false
        return [(peer, state), (otherPeer, state)]
    }

    /// A socket ended. - Returns: the device on the other side of each of its calls.
    mutating func leave(_ peer: any CallPeer, at now: Timestamp) -> [(call: CallAddress, other: any CallPeer)] {
        var others: [(call: CallAddress, other: any CallPeer)] = []
        for (call, room) in rooms {
            for (leg, seat) in room.seats where seat.peer === peer {
                rooms[call]?.seats[leg]?.peer = nil
                rooms[call]?.seats[leg]?.missingUntil = now.adding(
                    milliseconds: Int64(Limits.callGoneSeconds) * 1000)
                if let other = room.seats[leg.other]?.peer { others.append((call, other)) }
            }
        }
        return others
    }

    /// The device to which this one may say something now; `nil` while it is away.
    /// - Throws: `call_elsewhere` for a device that does not take part, `rate_limited`.
    mutating func other(
        than peer: any CallPeer, _ leg: CallLeg, in call: CallAddress, at now: Timestamp
    ) throws(Rejection) -> (any CallPeer)? {
        guard let seat = rooms[call]?.seats[leg], seat.peer === peer else { throw Self.elsewhere }
        if let wait = rooms[call]?.seats[leg]?.signals.take(Self.rule, at: now) {
            throw Rejection(
                .rateLimited, "Too many signals. Please wait a moment.", retryAfter: Int((wait + 999) / 1000))
        }
        return rooms[call]?.seats[leg.other]?.peer
    }

    /// The calls in which a device is missing for too long, and whether one side never came.
    func abandoned(at now: Timestamp) -> [(call: CallAddress, why: CallEnding.Why)] {
        rooms.compactMap { call, room in
            let missing = room.seats.values.filter { $0.missingUntil.map { $0 <= now } ?? false }
            guard !missing.isEmpty else { return nil }
            return (call, missing.contains { $0.device == nil } ? .failed : .left)
        }
    }

    private static let elsewhere = Rejection(
        .callElsewhere, "Another device or tab takes part in this call.")
}
