import EarshotCore
import EarshotDomain
import EarshotModel
import Testing

@testable import EarshotGateway

@Suite struct `What reaches a follower` {
    private static let caller = ConsumerCaller(
        id: ConsumerID(trusted: "c"), account: AccountID(trusted: "a"), app: AppID(trusted: "s"),
        conversation: ConversationID(trusted: "own"),
        tokenIssued: Timestamp(milliseconds: 0))
    private static let room = 1 << 20
    private let first = IdempotencyKey(trusted: "k1")
    private let second = IdempotencyKey(trusted: "k2")
    private let at = Timestamp(milliseconds: 5)

    private func follow(cursor: Int = 0) -> Follow {
        Follow(ConversationAccess(conversations: KnownConversations()).openOwn(Self.caller), cursor: cursor, marks: [])
    }

    private func events(_ numbers: ClosedRange<Int>, size: Int = 1) -> [StoredEvent] {
        numbers.map {
            StoredEvent(sequence: $0, encoded: [UInt8](repeating: UInt8($0 & 0xff), count: size), isSameForAll: true)
        }
    }

    private func advance(_ follow: inout Follow, _ events: [StoredEvent], marks: [Mark]? = nil, room: Int = Self.room)
        -> [Follow.Output]
    {
        follow.advance(events, marks: marks, room: room) { $0.encoded }
    }

    private func expect(
        _ follow: inout Follow, _ events: [StoredEvent], marks: [Mark]? = nil, _ outputs: [Follow.Output]
    ) {
        let said = advance(&follow, events, marks: marks)
        #expect(said == outputs)
    }

    private func delivered(_ numbers: ClosedRange<Int>) -> Follow.Output {
        .deliver(numbers.map { [UInt8($0)] }, through: numbers.upperBound, last: numbers.upperBound)
    }

    private func accepted(_ sequence: Int, isRepeat: Bool = false) -> Accepted {
        Accepted(sequence: sequence, at: at, isRepeat: isRepeat)
    }

    @Test func `its own word is not repeated, and ok comes after every event before it`() {
        var follow = follow()
        follow.asked()
        follow.answered(first, accepted(3), isWord: true)
        expect(&follow, events(1...3), [delivered(1...2), .ok(first, sequence: 3, at: at)])
        #expect(follow.cursor == 3 && !follow.isBehind)
    }

    @Test func `nothing beyond an answer, while its own next word may be there`() {
        var follow = follow()
        follow.asked()
        follow.asked()
        follow.answered(first, accepted(2), isWord: true)
        expect(&follow, events(1...4), [delivered(1...1), .ok(first, sequence: 2, at: at)])
        #expect(follow.cursor == 2)
        follow.answered(second, accepted(4), isWord: true)
        expect(&follow, events(3...5), [delivered(3...3), .ok(second, sequence: 4, at: at), delivered(5...5)])
    }

    @Test func `its commands that are no words are delivered as events before ok`() {
        var follow = follow(cursor: 5)
        follow.asked()
        follow.answered(first, accepted(6), isWord: false)
        expect(&follow, events(6...6), [delivered(6...6), .ok(first, sequence: 6, at: at)])
    }

    @Test func `a repeated key that this socket did not send brings the event too`() {
        var follow = follow()
        follow.asked()
        follow.answered(first, accepted(2, isRepeat: true), isWord: true)
        expect(&follow, events(1...3), [delivered(1...2), .ok(first, sequence: 2, at: at), delivered(3...3)])
    }

    @Test func `a repeated key of what it has brings the same ok and nothing else`() {
        var follow = follow(cursor: 9)
        follow.asked()
        follow.answered(first, accepted(2, isRepeat: true), isWord: true)
        expect(&follow, [], [.ok(first, sequence: 2, at: at)])
    }

    @Test func `after a refusal, what was held`() {
        var follow = follow()
        follow.asked()
        follow.rang()
        expect(&follow, events(1...2), [])
        #expect(follow.cursor == 0)
        follow.refused()
        #expect(follow.isBehind)
        expect(&follow, events(1...2), [delivered(1...2)])
    }

    @Test func `no more than there is room for; the rest stays behind, and ok with it`() {
        var follow = follow()
        follow.asked()
        follow.answered(first, accepted(4), isWord: true)
        let outputs = advance(&follow, events(1...4, size: 10), room: 15)
        #expect(
            outputs == [
                .deliver([[UInt8](repeating: 1, count: 10), [UInt8](repeating: 2, count: 10)], through: 2, last: 2)
            ])
        #expect(follow.isBehind && follow.cursor == 2)
        let rest = advance(&follow, events(3...4, size: 10))
        #expect(rest.count == 2)
        #expect(!follow.isBehind)
    }

    @Test func `hidden events move the cursor and are named by through`() {
        var follow = follow()
        let outputs = follow.advance(events(1...3), marks: nil, room: Self.room) { $0.sequence == 3 ? nil : $0.encoded }
        #expect(outputs == [.deliver([[1], [2]], through: 3, last: 2)])
    }

    @Test func `marks when they moved, and once`() {
        var follow = follow()
        let marks = [Mark(by: .firstAgent, delivered: 3, read: 1)]
        expect(&follow, [], marks: marks, [.marks(marks)])
        expect(&follow, [], marks: marks, [])
        expect(&follow, [], marks: nil, [])
    }

    @Test func `whatever comes in whatever pieces, each number once and in order, each ok after its own`() {
        for seed in UInt64(1)...200 { story(seed) }
    }

    /// Random words of this socket and of others, random answers, random rings and rooms.
    private func story(_ seed: UInt64) {
        var random = SeededGenerator(seed)
        var follow = follow()
        var (log, asked, seen, oks): ([Bool], [Int], [Int], [Int]) = ([], [], [], [])
        for step in 0..<200 {
            switch Int.random(in: 0..<4, using: &random) {
            case 0: log.append(false)
            case 1:
                follow.asked()
                log.append(true)
                asked.append(log.count)
            case 2 where !asked.isEmpty: follow.answered(first, accepted(asked.removeFirst()), isWord: true)
            default: break
            }
            if step == 199 {
                while !asked.isEmpty { follow.answered(first, accepted(asked.removeFirst()), isWord: true) }
            }
            follow.rang()
            repeat {
                let tail = follow.cursor < log.count ? events(follow.cursor + 1...log.count) : []
                for output in advance(&follow, tail, room: Int.random(in: 1...6, using: &random)) {
                    switch output {
                    case .deliver(let bytes, let through, _): seen += Array((through - bytes.count + 1)...through)
                    case .ok(_, let sequence, _):
                        #expect(follow.cursor >= sequence, "seed \(seed)")
                        oks.append(sequence)
                    case .marks: break
                    }
                }
            } while follow.isBehind
        }
        let own = Set(log.indices.filter { log[$0] }.map { $0 + 1 })
        #expect(seen == (1...max(1, log.count)).filter { !own.contains($0) && $0 <= log.count }, "seed \(seed)")
        #expect(oks == own.sorted(), "seed \(seed)")
    }
}

/// A generator with a seed, so that a failure repeats.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }
}
