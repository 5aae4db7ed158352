import EarshotModel
import EarshotTestKit
import Synchronization
import Testing

@testable import EarshotCore

/// A device that keeps what it is told.
private final class Device: CallPeer {
    private let heard = Mutex<[CallStatus.State]>([])
    let isGone: Bool

    init(isGone: Bool = false) { self.isGone = isGone }

    func tell(_ state: CallStatus.State, of call: CallAddress) { heard.withLock { $0.append(state) } }
    func pass(_ signal: CallSignal, of call: CallAddress) {}
}

@Suite struct `The devices of a call` {
    private var rooms = CallRooms()
    private var now = Timestamp(milliseconds: 1_000_000)
    private let call = CallAddress(ConversationID(trusted: "c"), 7)
    private let hers = Device()
    private let his = Device()
    private let third = Device()

    private mutating func join(
        _ leg: CallLeg, _ device: String, _ peer: Device, isFresh: Bool = true
    ) throws -> [CallStatus.State] {
        try rooms.join(
            call, leg, .init(device: DeviceID(trusted: device), isFresh: isFresh, peer: peer), at: now
        ).map(\.state)
    }

    @Test mutating func `begin once both are there, and again after a reload`() throws {
        #expect(try join(.agent, "a", his) == [.waiting])
        #expect(try join(.consumer, "k", hers) == [.begin, .begin])
        #expect(try join(.consumer, "k", hers) == [.begin, .begin], "a reload")
        #expect(try join(.consumer, "k", hers, isFresh: false) == [.resync, .resync], "a new socket")
    }

    @Test mutating func `take part in nothing once their socket has ended`() throws {
        _ = try join(.agent, "a", his)
        #expect(try join(.consumer, "k", Device(isGone: true)).isEmpty)
        #expect(try join(.agent, "a", his, isFresh: false) == [.waiting], "nobody is there")
        now = now.adding(milliseconds: Int64(Limits.callReturnSeconds) * 1000)
        #expect(rooms.abandoned(at: now).map(\.why) == [.failed])
    }

    @Test mutating func `begin again although the other one was away at the reload`() throws {
        _ = try join(.agent, "a", his)
        _ = try join(.consumer, "k", hers)
        #expect(rooms.leave(his, at: now).count == 1)
        #expect(try join(.consumer, "k", hers) == [.gone])
        #expect(try join(.agent, "a", his, isFresh: false) == [.begin, .begin])
    }

    @Test mutating func `keep their connection where the server forgot them`() throws {
        rooms.keep([call], at: now)
        #expect(try join(.agent, "a", his, isFresh: false) == [.waiting])
        #expect(try join(.consumer, "k", hers, isFresh: false) == [.resync, .resync])
    }

    @Test mutating func `are two: a third one gets in neither place, and is told nothing`() throws {
        _ = try join(.agent, "a", his)
        _ = try join(.consumer, "k", hers)
        for leg in CallLeg.allCases {
            #expect(throws: Rejection.self) { try join(leg, "other", third) }
            #expect(throws: Rejection.self) { try rooms.other(than: third, leg, in: call, at: now) }
        }
        // A device speaks for its own side only, and only in its own call.
        #expect(throws: Rejection.self) { try rooms.other(than: his, .consumer, in: call, at: now) }
        let elsewhere = CallAddress(call.conversation, 8)
        #expect(throws: Rejection.self) { try rooms.other(than: his, .agent, in: elsewhere, at: now) }
        #expect(try rooms.other(than: his, .agent, in: call, at: now) === hers)
    }

    @Test mutating func `may say so much and no more`() throws {
        _ = try join(.agent, "a", his)
        _ = try join(.consumer, "k", hers)
        for _ in 0..<Limits.callSignals { _ = try rooms.other(than: his, .agent, in: call, at: now) }
        let refusal = #expect(throws: Rejection.self) { try rooms.other(than: his, .agent, in: call, at: now) }
        #expect(refusal?.code == .rateLimited && refusal?.retryAfter == 1)
        #expect(try rooms.other(than: hers, .consumer, in: call, at: now) === his, "the other side may")
        now = now.adding(milliseconds: Int64(60_000 / Limits.callSignals))
        #expect(try rooms.other(than: his, .agent, in: call, at: now) === hers)
    }

    @Test mutating func `may be away for so long and no longer`() throws {
        _ = try join(.agent, "a", his)
        _ = try join(.consumer, "k", hers)
        _ = rooms.leave(hers, at: now)
        #expect(try rooms.other(than: his, .agent, in: call, at: now) == nil, "what is said meanwhile is lost")
        now = now.adding(milliseconds: Int64(Limits.callGoneSeconds) * 1000 - 1)
        #expect(rooms.abandoned(at: now).isEmpty)
        #expect(try join(.consumer, "k", hers) == [.begin, .begin])
        now = now.adding(milliseconds: 60_000)
        #expect(rooms.abandoned(at: now).isEmpty, "it came back")
        _ = rooms.leave(hers, at: now)
        now = now.adding(milliseconds: Int64(Limits.callGoneSeconds) * 1000)
        #expect(rooms.abandoned(at: now).map(\.why) == [.left])
    }

    @Test mutating func `have to come at all`() throws {
        rooms.keep([call], at: now)
        _ = try join(.agent, "a", his)
        now = now.adding(milliseconds: Int64(Limits.callReturnSeconds) * 1000 - 1)
        #expect(rooms.abandoned(at: now).isEmpty)
        now = now.adding(milliseconds: 1)
        #expect(rooms.abandoned(at: now).map(\.why) == [.failed])
    }

    @Test mutating func `are forgotten with their call, but not before routing knows it`() throws {
        _ = try join(.agent, "a", his)
        rooms.keep([], at: now)
        #expect(!rooms.isEmpty, "the answer was written a moment ago")
        rooms.keep([call], at: now.adding(milliseconds: 60_000))
        rooms.keep([], at: now.adding(milliseconds: 60_001))
        #expect(rooms.isEmpty)
        #expect(throws: Rejection.self) { try rooms.other(than: his, .agent, in: call, at: now) }
    }
}
