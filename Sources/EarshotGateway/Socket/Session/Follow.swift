import EarshotCore
import EarshotDomain
import EarshotModel

/// One conversation that a socket follows: what the client has, and what must reach it in which order. Pure.
///
/// The promise of `ok`: every event up to the sender's own stands before it, and the sender's own word is not repeated. So while commands of this
/// socket are on their way, nothing is delivered beyond what has been answered: the writer's next answer says whose word the next event is.
struct Follow {
    enum Output: Hashable {
        /// Events as bytes, and the number up to which the client then has everything.
        case deliver([[UInt8]], through: Int, last: Int)
        case ok(IdempotencyKey, sequence: Int, at: Timestamp)
        case marks([Mark])
    }

    private struct Answer {
        let key: IdempotencyKey
        let accepted: Accepted
        let isOwnWord: Bool
    }

    let conversation: OpenConversation
    /// The client has everything through this number.
    private(set) var cursor: Int
    /// Whether the log may hold more than the client has.
    private(set) var isBehind = false
    private(set) var inFlight = 0
    private var answers: [Answer] = []
    private var marks: [Mark]
    /// The client knows what was played up to this feed position.
    private(set) var playbackPosition: Int64

    init(_ conversation: OpenConversation, cursor: Int, marks: [Mark], playbackPosition: Int64 = 0) {
        self.conversation = conversation
        self.cursor = cursor
        self.marks = marks
        self.playbackPosition = playbackPosition
    }

    /// The client was told what was played up to there.
    mutating func told(playedThrough position: Int64) { playbackPosition = max(playbackPosition, position) }

    mutating func rang() { isBehind = true }
    mutating func asked() { inFlight += 1 }

    /// - Parameter isWord: the command was a text or an audio message.
    mutating func answered(_ key: IdempotencyKey, _ accepted: Accepted, isWord: Bool) {
        inFlight -= 1
        isBehind = true
        answers.append(Answer(key: key, accepted: accepted, isOwnWord: isWord && !accepted.isRepeat))
    }

    mutating func refused() {
        inFlight -= 1
        isBehind = true
    }

    /// Goes on by `events`, which begin right after the cursor.
    /// - Parameters:
    ///   - marks: what this viewer sees of the marks now; `nil` where that is not known.
    ///   - visible: an event's bytes for this viewer; `nil` hides it.
    mutating func advance(
        _ events: [StoredEvent], marks: [Mark]?, room: Int, visible: (StoredEvent) -> [UInt8]?
    ) -> [Output] {
        var run = Run(rest: events[...], room: room)
        var outputs: [Output] = []
        isBehind = false
        while let answer = answers.first {
            let last = answer.accepted.sequence
            if last > cursor {
                guard deliver(&run, through: answer.isOwnWord ? last - 1 : last, &outputs, visible) else {
                    return outputs
                }
                if answer.isOwnWord { skip(&run) }
            }
            outputs.append(.ok(answer.key, sequence: last, at: answer.accepted.at))
            answers.removeFirst()
        }
        if inFlight == 0, !deliver(&run, through: .max, &outputs, visible) { return outputs }
        if let marks, marks != self.marks {
            self.marks = marks
            outputs.append(.marks(marks))
        }
        return outputs
    }

    /// - Returns: whether everything through that number went out.
    private mutating func deliver(
        _ run: inout Run, through: Int, _ outputs: inout [Output], _ visible: (StoredEvent) -> [UInt8]?
    ) -> Bool {
        var bytes: [[UInt8]] = []
        var last = 0
        let before = cursor
        while let event = run.rest.first, event.sequence <= through, run.room > 0 {
            precondition(event.sequence == cursor + 1, "a delivery has no gap")
            if let encoded = visible(event) {
                run.room -= encoded.count
                bytes.append(encoded)
                last = event.sequence
            }
            cursor = event.sequence
            run.rest.removeFirst()
        }
        if cursor > before, !bytes.isEmpty { outputs.append(.deliver(bytes, through: cursor, last: last)) }
        let isDone = cursor >= through || (through == .max && run.rest.isEmpty)
        if !isDone { isBehind = true }
        return isDone
    }

    private mutating func skip(_ run: inout Run) {
        cursor += 1
        run.rest = run.rest.dropFirst()
    }

    /// What is left of the events, and of the bytes that may be written.
    private struct Run {
        var rest: ArraySlice<StoredEvent>
        var room: Int
    }
}
