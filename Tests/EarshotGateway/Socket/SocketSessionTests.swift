import EarshotCore
import EarshotDomain
import EarshotModel
import Testing

@testable import EarshotGateway

@Suite struct `A socket session` {
    private static let own = ConversationID(trusted: "own")
    private static let consumer = Caller.consumer(
        ConsumerCaller(
            id: ConsumerID(trusted: "c"), account: AccountID(trusted: "a"), app: AppID(trusted: "s"), conversation: own,
            tokenIssued: Timestamp(milliseconds: 0)))
    private static let agent = Caller.agent(
        AgentCaller(id: AgentID(trusted: "d"), account: AccountID(trusted: "a"), name: "Dana", role: .administrator))
    private static let hello = ClientFrame.hello(.consumer(token: "t", after: nil, epoch: nil))
    private static let key = IdempotencyKey(trusted: "k")

    private func live(_ caller: Caller, _ allowances: SocketAllowances = SocketAllowances(SocketLimits()))
        -> SocketSession
    {
        var session = SocketSession(allowances, from: "here")
        _ = session.receive(.success(Self.hello), at: at(0), SocketLimits())
        session.signedIn(as: caller)
        return session
    }

    private func at(_ milliseconds: Int64) -> Timestamp { Timestamp(milliseconds: milliseconds) }

    private func text(_ conversation: ConversationID? = nil) -> ClientFrame {
        .send(.init(key: Self.key, conversation: conversation, body: .text("x"), read: nil))
    }

    /// A client told `not_signed_in` throws its token away, and with it the conversation.
    @Test(arguments: [
        #"{"hello":{"token":"t","after":"5"}}"#, #"{"hello":{"token":"t","after":1.5}}"#,
        #"{"hello":{"token":"t","epoch":5}}"#, #"{"hello":{"token":"t","v":"x"}}"#, #"{"hello":{"token":5}}"#,
        #"{"hello":{"ticket":null}}"#, #"{"hello":{}}"#, #"{"hello":"t"}"#, #"{"hello":{"ticket":"t","position":"x"}}"#,
        "", "hello", "[]", "{}", #"{"send":"k","text":"x"}"#, #"{"typing":true}"#, #"{"got":1}"#,
        #"{"page":null,"before":2}"#, #"{"levitate":1}"#,
    ])
    func `ends as a bad request, not as signed out, where the first frame is no readable hello`(text: String) {
        var session = SocketSession(SocketAllowances(SocketLimits()), from: "here")
        let action = session.receive(FrameDecoding.decode(Array(text.utf8)), at: at(0), SocketLimits())
        guard case .end(.badHello, let rejection) = action else { return #expect(Bool(false), "\(action)") }
        #expect(rejection?.code == .badRequest)
    }

    @Test(arguments: [#"{"hello":{"token":"t","after":5.0,"v":2e0}}"#, #"{"hello":{"token":"t","after":null}}"#])
    func `signs in with whole numbers in any form, and with null for nothing`(text: String) {
        var session = SocketSession(SocketAllowances(SocketLimits()), from: "here")
        let action = session.receive(FrameDecoding.decode(Array(text.utf8)), at: at(0), SocketLimits())
        guard case .signIn = action else { return #expect(Bool(false), "\(action)") }
    }

    @Test(arguments: [
        ClientFrame.take(key, own), .watch(own, after: nil), .unwatch(own), .ask(key, nil, .takeOver),
        .presence(.online, reason: nil), .team(true), .wall(true),
    ])
    func `refuses the frames of agents to a consumer`(frame: ClientFrame) {
        var session = live(Self.consumer)
        guard case .refuse(let refusal) = session.receive(.success(frame), at: at(0), SocketLimits()) else {
            return #expect(Bool(false))
        }
        #expect(refusal.rejection.code == .unknownFrame && refusal.key == frame.key)
    }

    @Test func `hides other conversations from a consumer`() {
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

    @Test func `refuses an agent's frame that names no conversation`() {
        var session = live(Self.agent)
        guard case .refuse(let refusal) = session.receive(.success(text()), at: at(0), SocketLimits()) else {
            return #expect(Bool(false))
        }
        #expect(refusal.rejection.code == .badRequest && refusal.key == Self.key)
    }

    @Test func `names the conversation in every refusal of a frame that named one`() {
        let frames: [ClientFrame] = [
            text(Self.own), .take(Self.key, Self.own), .close(Self.key, Self.own), .ask(Self.key, Self.own, .takeOver),
            .watch(Self.own, after: nil), .unwatch(Self.own), .page(Self.own, before: 2, limit: nil),
            .got(1, Self.own), .read(1, Self.own), .typing(true, Self.own),
        ]
        var limits = SocketLimits()
        (limits.commands, limits.signals) = (.init(burst: 1, refillMs: 1000), .init(burst: 1, refillMs: 1000))
        for frame in frames {
            var early = SocketSession(SocketAllowances(limits), from: "here")
            _ = early.receive(.success(Self.hello), at: at(0), limits)
            var flooded = live(Self.agent, SocketAllowances(limits))
            guard case .perform = flooded.receive(.success(frame), at: at(0), limits) else {
                return #expect(Bool(false), "the first one is within the rate")
            }
            for action in [
                early.receive(.success(frame), at: at(0), limits), flooded.receive(.success(frame), at: at(0), limits),
            ] {
                guard case .refuse(let refusal) = action else { return #expect(Bool(false), "\(frame)") }
                #expect(refusal.conversation == Self.own && refusal.key == frame.key, "\(frame)")
            }
        }
    }

    @Test(arguments: [
        #"{"send":"k","text":5}"#, #"{"send":"k","text":"cut \ud83d"}"#, #"{"send":"k","text":"cut \ud83d more"}"#,
        #"{"send":"k","text":"x","read":"y"}"#, #"{"send":"k","text":"x","c":5}"#, #"{"send":"k","audio":7}"#,
        #"{"send":"k","audio":"not an id"}"#, #"{"send":"k"}"#, #"{"send":"k","text":"x","audio":"m"}"#,
        #"{"take":"k","c":5}"#, #"{"take":"k"}"#, #"{"close":"k","c":"not an id"}"#, #"{"ask":"k","levitate":{}}"#,
        #"{"ask":"k","c":7,"join":{}}"#, #"{"ask":"k","note":{"text":"\udc4b"}}"#, #"{"ask":"k","rate":5}"#,
    ])
    func `refuses a frame that cannot be read under its key`(frame: String) {
        guard case .failure(let refusal) = FrameDecoding.decode(Array(frame.utf8)) else {
            return #expect(Bool(false), "\(frame)")
        }
        #expect(refusal.rejection.code == .badRequest)
        #expect(refusal.key?.rawValue == "k")
    }

    @Test(arguments: [
        ("a.b", true), ("\u{1F44B}", true), (String(repeating: "k", count: 65), true),
        (String(repeating: ".", count: Limits.refusedKeyBytes), true),
        (String(repeating: ".", count: Limits.refusedKeyBytes + 1), false), ("", true),
    ])
    func `names a key of the wrong form, also an empty one, unless it is too long`(key: String, isNamed: Bool) {
        for frame in ["{\"send\":\"\(key)\",\"text\":\"x\"}", "{\"ask\":\"\(key)\",\"join\":{}}"] {
            guard case .failure(let refusal) = FrameDecoding.decode(Array(frame.utf8)) else {
                return #expect(Bool(false), "\(frame)")
            }
            #expect(refusal.rejection.code == .badKey)
            #expect(refusal.key?.rawValue == (isNamed ? key : nil))
        }
    }

    @Test(arguments: ["", "{", "[]", #"{"send":7,"text":"x"}"#, #"{"send":"k\ud83d","text":"x"}"#, #"{"typing":"k"}"#])
    func `has no key to name where none can be read`(frame: String) {
        guard case .failure(let refusal) = FrameDecoding.decode(Array(frame.utf8)) else {
            return #expect(Bool(false), "\(frame)")
        }
        #expect(refusal.key == nil)
    }

    @Test(arguments: [
        #"{"send":"k","c":"own"}"#, #"{"send":"not a key","c":"own","text":"x"}"#, #"{"send":7,"c":"own"}"#,
        #"{"got":"one","c":"own"}"#, #"{"played":1,"c":"own","spans":[]}"#, #"{"typing":1,"c":"own"}"#,
        #"{"unheard":1,"c":"own"}"#, #"{"watch":"own","after":"x"}"#, #"{"page":"own"}"#,
    ])
    func `names the conversation of a frame that cannot be read`(frame: String) {
        guard case .failure(let refusal) = FrameDecoding.decode(Array(frame.utf8)) else {
            return #expect(Bool(false))
        }
        #expect(refusal.conversation == Self.own)
    }

    @Test func `refuses a second hello`() {
        var session = live(Self.agent)
        guard case .refuse(let refusal) = session.receive(.success(Self.hello), at: at(0), SocketLimits()) else {
            return #expect(Bool(false))
        }
        #expect(refusal.rejection.code == .unknownFrame)
    }

    @Test func `performs a flood's first frames, refuses the next, then ends with 4429`() {
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

    @Test func `never refuses a person's pace`() {
        var session = live(Self.consumer)
        for second in 0..<600 {
            guard case .perform = session.receive(.success(text()), at: at(Int64(second) * 1000), SocketLimits()) else {
                return #expect(Bool(false))
            }
        }
    }

    @Test func `counts by person: a second socket shares the first one's allowance`() {
        let allowances = SocketAllowances(SocketLimits())
        var (performed, refused) = (0, [FrameRefusal]())
        for _ in 0..<100 {
            var session = live(Self.consumer, allowances)
            switch session.receive(.success(text()), at: at(0), SocketLimits()) {
            case .perform: performed += 1
            case .refuse(let refusal): refused.append(refusal)
            default: return #expect(Bool(false))
            }
        }
        #expect(
            performed == 60 && refused.allSatisfy { $0.rejection.code == .rateLimited && $0.rejection.retryAfter == 1 })
        var other = live(Self.agent, allowances)
        guard case .perform = other.receive(.success(text(Self.own)), at: at(0), SocketLimits()) else {
            return #expect(Bool(false), "another person")
        }
    }

    @Test func `counts what reads by person too`() {
        let allowances = SocketAllowances(SocketLimits())
        var performed = 0
        for _ in 0..<10 {
            var session = live(Self.agent, allowances)
            for _ in 0..<100 {
                let frame = ClientFrame.page(Self.own, before: 2, limit: nil)
                if case .perform = session.receive(.success(frame), at: at(0), SocketLimits()) { performed += 1 }
            }
        }
        #expect(performed == SocketLimits().signals.burst)
    }

    @Test func `limits the commands of all consumers of one address, and not those of a brand's people`() {
        let allowances = SocketAllowances(SocketLimits())
        func performed(as caller: Caller, from address: String, _ count: Int) -> Int {
            (0..<count).count { _ in
                allowances.wait(afterTaking: text(Self.own), of: caller, from: address, at: at(0)) == nil
            }
        }
        var consumers = 0
        for place in 0..<20 {
            let consumer = Caller.consumer(
                ConsumerCaller(
                    id: ConsumerID(trusted: "c\(place)"), account: AccountID(trusted: "a"), app: AppID(trusted: "s"),
                    conversation: Self.own, tokenIssued: at(0)))
            consumers += performed(as: consumer, from: "one", 60)
        }
        #expect(consumers == SocketLimits().addressCommands.burst)
        #expect(performed(as: Self.consumer, from: "another", 60) == 60)
        #expect(performed(as: Self.agent, from: "one", 60) == 60)
    }

    @Test func `limits how many sockets a person has`() throws {
        var limits = SocketLimits()
        limits.socketsPerPerson = 2
        let allowances = SocketAllowances(limits)
        let close = try allowances.open("c")
        _ = try allowances.open("c")
        let refusal = #expect(throws: Rejection.self) { _ = try allowances.open("c") }
        #expect(refusal?.code == .rateLimited && refusal?.limit == 2 && refusal?.retryAfter == 30)
        _ = try allowances.open("d")
        close()
        _ = try allowances.open("c")
    }

    @Test func `limits pings like other frames`() {
        var session = live(Self.consumer)
        let actions = (0..<1000).map { _ in session.receivePing(at: at(0), SocketLimits()) }
        #expect(actions.contains { if case .end(.tooManyFrames, _) = $0 { true } else { false } })
    }

    @Test func `ignores frames after its end`() {
        var session = live(Self.consumer)
        session.end()
        guard case .ignore = session.receive(.success(text()), at: at(0), SocketLimits()) else {
            return #expect(Bool(false))
        }
    }
}

@Suite struct `The liveness of a connection` {
    private let limits = SocketLimits()
    private func at(_ seconds: Int64) -> Timestamp { Timestamp(milliseconds: seconds * 1000) }

    private func expect(_ liveness: inout ConnectionLiveness, at second: Int64, _ verdict: ConnectionLiveness.Verdict) {
        let actual = liveness.check(at: at(second), limits)
        #expect(actual == verdict, "at \(second) s")
    }

    @Test func `ends it after 10 s without a hello`() {
        var liveness = ConnectionLiveness(at: at(0))
        expect(&liveness, at: 9, .alive)
        expect(&liveness, at: 10, .end(.noHello))
    }

    @Test func `pings a silent client after 30 s and ends it after 60`() {
        var liveness = ConnectionLiveness(at: at(0))
        liveness.helloReceived()
        expect(&liveness, at: 29, .alive)
        expect(&liveness, at: 30, .ping)
        expect(&liveness, at: 31, .alive)
        expect(&liveness, at: 60, .end(.heartbeatLost))
    }

    @Test func `keeps a client that answers`() {
        var liveness = ConnectionLiveness(at: at(0))
        liveness.helloReceived()
        for second in stride(from: Int64(1), through: 600, by: 1) {
            if liveness.check(at: at(second), limits) == .ping { liveness.received(at: at(second)) }
            expect(&liveness, at: second, .alive)
        }
    }

    @Test func `ends a client that reads nothing for 20 s, and disconnects it if it does not read that either`() {
        var liveness = ConnectionLiveness(at: at(0))
        liveness.helloReceived()
        liveness.received(at: at(30))
        liveness.writabilityChanged(false, at: at(20))
        liveness.writabilityChanged(false, at: at(30))
        expect(&liveness, at: 40, .end(.tooSlow))
        liveness.ended(at: at(40), limits)
        expect(&liveness, at: 47, .alive)
        expect(&liveness, at: 48, .disconnect)
    }

    @Test func `keeps a client that reads in between`() {
        var liveness = ConnectionLiveness(at: at(0))
        liveness.helloReceived()
        liveness.writabilityChanged(false, at: at(1))
        liveness.writabilityChanged(true, at: at(20))
        liveness.writabilityChanged(false, at: at(20))
        expect(&liveness, at: 29, .alive)
    }

    @Test func `disconnects after 3 s a client that was told to close`() {
        var liveness = ConnectionLiveness(at: at(0))
        liveness.ended(at: at(5), limits)
        expect(&liveness, at: 7, .alive)
        expect(&liveness, at: 8, .disconnect)
    }
}
