import EarshotCore
import EarshotDomain
import EarshotModel
import EarshotTestKit
import Testing

@testable import EarshotGateway

@Suite struct `Delivery to a client that follows a conversation` {
    private static let caller = ConsumerCaller(
        id: ConsumerID(trusted: "c"), account: AccountID(trusted: "a"), app: AppID(trusted: "s"),
        conversation: ConversationID(trusted: "own"),
        tokenIssued: Timestamp(milliseconds: 0))
    private static let room = 1 << 20
    private let first = IdempotencyKey(trusted: "k1")
    private let second = IdempotencyKey(trusted: "k2")
    private let at = Timestamp(milliseconds: 5)

    private func cursor(at position: Int = 0) -> DeliveryCursor {
        DeliveryCursor(
            ConversationAccess(conversations: KnownConversations()).openOwn(Self.caller), position: position, marks: [])
    }

    private func events(_ numbers: ClosedRange<Int>, size: Int = 1) -> [StoredEvent] {
        numbers.map {
            StoredEvent(sequence: $0, encoded: [UInt8](repeating: UInt8($0 & 0xff), count: size), isSameForAll: true)
        }
    }

    private func advance(
        _ cursor: inout DeliveryCursor, _ events: [StoredEvent], marks: [Mark]? = nil, room: Int = Self.room
    )
        -> [DeliveryCursor.Output]
    {
        cursor.advance(events, marks: marks, room: room) { $0.encoded }
    }

    private func expect(
        _ cursor: inout DeliveryCursor, _ events: [StoredEvent], marks: [Mark]? = nil,
        _ outputs: [DeliveryCursor.Output]
    ) {
        let actual = advance(&cursor, events, marks: marks)
        #expect(actual == outputs)
    }

    private func delivered(_ numbers: ClosedRange<Int>) -> DeliveryCursor.Output {
        .deliver(numbers.map { [UInt8($0)] }, through: numbers.upperBound, last: numbers.upperBound)
    }

    private func accepted(_ sequence: Int, isRepeat: Bool = false) -> Accepted {
        Accepted(sequence: sequence, at: at, isRepeat: isRepeat)
    }

    @Test func `does not repeat its own message, and sends ok after every earlier event`() {
        var cursor = cursor()
        cursor.commandStarted()
        cursor.commandAccepted(first, accepted(3), isMessage: true)
        expect(&cursor, events(1...3), [delivered(1...2), .ok(first, sequence: 3, at: at)])
        #expect(cursor.position == 3 && !cursor.isBehind)
    }

    @Test func `repeats its own message where a card number was masked in it`() {
        var cursor = cursor()
        cursor.commandStarted()
        cursor.commandAccepted(first, accepted(3), isMessage: true)
        let masked = StoredEvent(sequence: 3, encoded: Array("•1".utf8), isSameForAll: true)
        expect(
            &cursor, events(1...2) + [masked] + events(4...4),
            [
                .deliver([[1], [2], masked.encoded], through: 3, last: 3), .ok(first, sequence: 3, at: at),
                delivered(4...4),
            ])
    }

    @Test func `sends nothing beyond an answer while another own message is in flight`() {
        var cursor = cursor()
        cursor.commandStarted()
        cursor.commandStarted()
        cursor.commandAccepted(first, accepted(2), isMessage: true)
        expect(&cursor, events(1...4), [delivered(1...1), .ok(first, sequence: 2, at: at)])
        #expect(cursor.position == 2)
        cursor.commandAccepted(second, accepted(4), isMessage: true)
        expect(&cursor, events(3...5), [delivered(3...3), .ok(second, sequence: 4, at: at), delivered(5...5)])
    }

    @Test func `sends the events of its other commands before their ok`() {
        var cursor = cursor(at: 5)
        cursor.commandStarted()
        cursor.commandAccepted(first, accepted(6), isMessage: false)
        expect(&cursor, events(6...6), [delivered(6...6), .ok(first, sequence: 6, at: at)])
    }

    @Test func `sends the event of a repeated key that another socket sent`() {
        var cursor = cursor()
        cursor.commandStarted()
        cursor.commandAccepted(first, accepted(2, isRepeat: true), isMessage: true)
        expect(&cursor, events(1...3), [delivered(1...2), .ok(first, sequence: 2, at: at), delivered(3...3)])
    }

    @Test func `answers a repeated key of a message it has with the same ok only`() {
        var cursor = cursor(at: 9)
        cursor.commandStarted()
        cursor.commandAccepted(first, accepted(2, isRepeat: true), isMessage: true)
        expect(&cursor, [], [.ok(first, sequence: 2, at: at)])
    }

    @Test func `continues after a command is refused`() {
        var cursor = cursor()
        cursor.commandStarted()
        cursor.logAdvanced()
        expect(&cursor, events(1...2), [])
        #expect(cursor.position == 0)
        cursor.commandRefused()
        #expect(cursor.isBehind)
        expect(&cursor, events(1...2), [delivered(1...2)])
    }

    @Test func `stops where the room ends, and holds back the ok behind it`() {
        var cursor = cursor()
        cursor.commandStarted()
        cursor.commandAccepted(first, accepted(4), isMessage: true)
        let outputs = advance(&cursor, events(1...4, size: 10), room: 15)
        #expect(
            outputs == [
                .deliver([[UInt8](repeating: 1, count: 10), [UInt8](repeating: 2, count: 10)], through: 2, last: 2)
            ])
        #expect(cursor.isBehind && cursor.position == 2)
        let rest = advance(&cursor, events(3...4, size: 10))
        #expect(rest.count == 2)
        #expect(!cursor.isBehind)
    }

    @Test func `skips hidden events and reports them in through`() {
        var cursor = cursor()
        let outputs = cursor.advance(events(1...3), marks: nil, room: Self.room) { $0.sequence == 3 ? nil : $0.encoded }
        #expect(outputs == [.deliver([[1], [2]], through: 3, last: 2)])
    }

    @Test func `sends changed marks once`() {
        var cursor = cursor()
        let marks = [Mark(by: .firstAgent, delivered: 3, read: 1)]
        expect(&cursor, [], marks: marks, [.marks(marks)])
        expect(&cursor, [], marks: marks, [])
        expect(&cursor, [], marks: nil, [])
    }

    @Test func `sends each number once and in order, and each ok after its own event, in any interleaving`() {
        for seed in UInt64(1)...200 { runRandomly(seed) }
    }

    /// Random messages of this socket and of others, random answers, random commits and room.
    private func runRandomly(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var cursor = cursor()
        var (log, asked, seen, oks): ([Bool], [Int], [Int], [Int]) = ([], [], [], [])
        for step in 0..<200 {
            switch Int.random(in: 0..<4, using: &random) {
            case 0: log.append(false)
            case 1:
                cursor.commandStarted()
                log.append(true)
                asked.append(log.count)
            case 2 where !asked.isEmpty: cursor.commandAccepted(first, accepted(asked.removeFirst()), isMessage: true)
            default: break
            }
            if step == 199 {
                while !asked.isEmpty { cursor.commandAccepted(first, accepted(asked.removeFirst()), isMessage: true) }
            }
            cursor.logAdvanced()
            repeat {
                let tail = cursor.position < log.count ? events(cursor.position + 1...log.count) : []
                for output in advance(&cursor, tail, room: Int.random(in: 1...6, using: &random)) {
                    switch output {
                    case .deliver(let bytes, let through, _): seen += Array((through - bytes.count + 1)...through)
                    case .ok(_, let sequence, _):
                        #expect(cursor.position >= sequence, "seed \(seed)")
                        oks.append(sequence)
                    case .marks: break
                    }
                }
            } while cursor.isBehind
        }
        let own = Set(log.indices.filter { log[$0] }.map { $0 + 1 })
        #expect(seen == (1...max(1, log.count)).filter { !own.contains($0) && $0 <= log.count }, "seed \(seed)")
        #expect(oks == own.sorted(), "seed \(seed)")
    }
}
