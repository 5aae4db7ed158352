import EarshotCore
import EarshotDomain
import EarshotModel
import Testing

@testable import EarshotGateway

@Suite struct `What a socket may do` {
    private static let own = ConversationID(trusted: "own")
    private static let consumer = Caller.consumer(
        ConsumerCaller(
            id: ConsumerID(trusted: "c"), account: AccountID(trusted: "a"), app: AppID(trusted: "s"), conversation: own,
            tokenIssued: Timestamp(milliseconds: 0)))
    private static let agent = Caller.agent(
        AgentCaller(id: AgentID(trusted: "d"), account: AccountID(trusted: "a"), name: "Dana", role: .agent))
    private static let hello = ClientFrame.hello(.consumer(token: "t", after: nil, epoch: nil))
    private static let key = IdempotencyKey(trusted: "k")

    private func live(_ caller: Caller, commands: Throttle = Throttle(SocketLimits().commands)) -> SocketSession {
        var session = SocketSession(commands: commands)
        _ = session.receive(.success(Self.hello), at: at(0), SocketLimits())
        session.signedIn(as: caller)
        return session
    }

    private func at(_ milliseconds: Int64) -> Timestamp { Timestamp(milliseconds: milliseconds) }

    private func text(_ conversation: ConversationID? = nil) -> ClientFrame {
        .send(.init(key: Self.key, conversation: conversation, body: .text("x"), read: nil))
    }

    @Test(arguments: [ClientFrame.typing(true, nil), .got(1, nil), .take(key, own), .page(nil, before: 2, limit: nil)])
    func `before hello is nothing: the socket ends`(frame: ClientFrame) {
        var session = SocketSession(commands: Throttle(SocketLimits().commands))
        guard case .end(.notSignedIn, _) = session.receive(.success(frame), at: at(0), SocketLimits()) else {
            return #expect(Bool(false))
        }
    }

    @Test func `with something unreadable before hello is nothing either`() {
        var session = SocketSession(commands: Throttle(SocketLimits().commands))
        let step = session.receive(.failure(FrameRefusal(FrameRefusal.malformed)), at: at(0), SocketLimits())
        guard case .end(.notSignedIn, _) = step else { return #expect(Bool(false)) }
    }

    @Test(arguments: [
        ClientFrame.take(key, own), .watch(own, after: nil), .unwatch(own), .ask(key, nil, .takeOver),
        .presence(.online, reason: nil), .team(true), .wall(true),
    ])
    func `as a consumer is not what agents do`(frame: ClientFrame) {
        var session = live(Self.consumer)
        guard case .refuse(let refusal) = session.receive(.success(frame), at: at(0), SocketLimits()) else {
            return #expect(Bool(false))
        }
        #expect(refusal.rejection.code == .unknownFrame && refusal.key == frame.key)
    }

    @Test func `as a consumer is not in another conversation, which does not exist for it`() {
        let other = ConversationID(trusted: "other")
        for frame in [
            text(other), .got(1, other), .read(1, other), .typing(true, other), .page(other, before: 5, limit: nil),
        ] {
            var session = live(Self.consumer)
            guard case .refuse(let refusal) = session.receive(.success(frame), at: at(0), SocketLimits()) else {
                return #expect(Bool(false))
            }
            #expect(refusal.rejection.code == .notFound)
        }
    }

    @Test func `as an agent names the conversation`() {
        var session = live(Self.agent)
        guard case .refuse(let refusal) = session.receive(.success(text()), at: at(0), SocketLimits()) else {
            return #expect(Bool(false))
        }
        #expect(refusal.rejection.code == .badRequest && refusal.key == Self.key)
    }

    @Test func `is to say hello once`() {
        var session = live(Self.agent)
        guard case .refuse(let refusal) = session.receive(.success(Self.hello), at: at(0), SocketLimits()) else {
            return #expect(Bool(false))
        }
        #expect(refusal.rejection.code == .unknownFrame)
    }

    @Test func `in a flood is at most its burst, then refused, then ended with 4429`() {
        var session = live(Self.consumer)
        var limits = SocketLimits()
        limits.refusals = .init(burst: 50, refillMs: 200)
        var (performed, refused, ended) = (0, 0, 0)
        for _ in 0..<10_000 {
            switch session.receive(.success(text()), at: at(0), limits) {
            case .perform: performed += 1
            case .refuse(let refusal):
                refused += 1
                #expect(refusal.rejection.code == .rateLimited && refusal.key == Self.key)
            case .end(let code, _):
                ended += 1
                #expect(code == .tooManyFrames)
                session.end()
            default: break
            }
        }
        #expect((performed, refused, ended) == (60, 50, 1))
    }

    @Test func `at a person's pace is never refused`() {
        var session = live(Self.consumer)
        for second in 0..<600 {
            guard case .perform = session.receive(.success(text()), at: at(Int64(second) * 1000), SocketLimits()) else {
                return #expect(Bool(false))
            }
        }
    }

    @Test func `is counted by person: a second socket and a new one have what the first left`() {
        let commands = Throttle(SocketLimits().commands)
        var (performed, refused) = (0, [FrameRefusal]())
        for _ in 0..<100 {
            var session = live(Self.consumer, commands: commands)
            switch session.receive(.success(text()), at: at(0), SocketLimits()) {
            case .perform: performed += 1
            case .refuse(let refusal): refused.append(refusal)
            default: return #expect(Bool(false))
            }
        }
        #expect(
            performed == 60 && refused.allSatisfy { $0.rejection.code == .rateLimited && $0.rejection.retryAfter == 1 })
        var other = live(Self.agent, commands: commands)
        guard case .perform = other.receive(.success(text(Self.own)), at: at(0), SocketLimits()) else {
            return #expect(Bool(false), "somebody else")
        }
    }

    @Test func `with pings is limited like other frames`() {
        var session = live(Self.consumer)
        let steps = (0..<1000).map { _ in session.signal(at: at(0), SocketLimits()) }
        #expect(steps.contains { if case .end(.tooManyFrames, _) = $0 { true } else { false } })
    }

    @Test func `after its end is ignored`() {
        var session = live(Self.consumer)
        session.end()
        guard case .ignore = session.receive(.success(text()), at: at(0), SocketLimits()) else {
            return #expect(Bool(false))
        }
    }
}

@Suite struct `Whether somebody is there` {
    private let limits = SocketLimits()
    private func at(_ seconds: Int64) -> Timestamp { Timestamp(milliseconds: seconds * 1000) }

    private func expect(_ vitals: inout Vitals, at second: Int64, _ verdict: Vitals.Verdict) {
        let said = vitals.examine(at: at(second), limits)
        #expect(said == verdict, "at \(second) s")
    }

    @Test func `who says no hello is closed after 10 s`() {
        var vitals = Vitals(at: at(0))
        expect(&vitals, at: 9, .well)
        expect(&vitals, at: 10, .end(.noHello))
    }

    @Test func `who is silent is asked after 30 s and closed after 60`() {
        var vitals = Vitals(at: at(0))
        vitals.greeted()
        expect(&vitals, at: 29, .well)
        expect(&vitals, at: 30, .ping)
        expect(&vitals, at: 31, .well)
        expect(&vitals, at: 60, .end(.heartbeatLost))
    }

    @Test func `who answers stays`() {
        var vitals = Vitals(at: at(0))
        vitals.greeted()
        for second in stride(from: Int64(1), through: 600, by: 1) {
            if vitals.examine(at: at(second), limits) == .ping { vitals.hear(at: at(second)) }
            expect(&vitals, at: second, .well)
        }
    }

    @Test func `who takes nothing for 20 s is closed as too slow, and cut if it takes not even that`() {
        var vitals = Vitals(at: at(0))
        vitals.greeted()
        vitals.hear(at: at(30))
        vitals.writable(false, at: at(20))
        vitals.writable(false, at: at(30))
        expect(&vitals, at: 40, .end(.tooSlow))
        vitals.ended(at: at(40), limits)
        expect(&vitals, at: 47, .well)
        expect(&vitals, at: 48, .cut)
    }

    @Test func `who takes something in between is not`() {
        var vitals = Vitals(at: at(0))
        vitals.greeted()
        vitals.writable(false, at: at(1))
        vitals.writable(true, at: at(20))
        vitals.writable(false, at: at(20))
        expect(&vitals, at: 29, .well)
    }

    @Test func `who was told to go is cut after 3 s`() {
        var vitals = Vitals(at: at(0))
        vitals.ended(at: at(5), limits)
        expect(&vitals, at: 7, .well)
        expect(&vitals, at: 8, .cut)
    }
}
