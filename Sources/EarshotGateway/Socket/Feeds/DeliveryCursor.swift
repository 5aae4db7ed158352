import EarshotCore
import EarshotDomain
import EarshotModel

/// What one client has of a conversation it follows, and what is delivered to it next, in which order. Pure.
///
/// `ok` promises: every event up to the sender's own was delivered before it, and the sender's own message is not
/// repeated as an event, unless a card number was masked in it. So while commands of this socket are in flight, nothing
/// is delivered beyond the last answer: only the writer's next answer tells who wrote the next event.
struct DeliveryCursor {
    enum Output: Hashable {
        /// Encoded events, and the number up to which the client then has everything.
        case deliver([[UInt8]], through: Int, last: Int)
        case ok(IdempotencyKey, sequence: Int, at: Timestamp)
        case marks([Mark])
    }

    private struct Answer {
        let key: IdempotencyKey
        let accepted: Accepted
        let isOwnMessage: Bool
    }

    let conversation: OpenConversation
    /// The client has everything through this number.
    private(set) var position: Int
    /// Whether the log may hold more than the client has.
    private(set) var isBehind = false
    private(set) var commandsInFlight = 0
    private var answers: [Answer] = []
    private var marks: [Mark]
    /// The client knows what was played up to this feed position.
    private(set) var playbackPosition: Int64

    init(_ conversation: OpenConversation, position: Int, marks: [Mark], playbackPosition: Int64 = 0) {
        self.conversation = conversation
        self.position = position
        self.marks = marks
        self.playbackPosition = playbackPosition
    }

    /// The client received what was played up to this feed position.
    mutating func playbackDelivered(through position: Int64) { playbackPosition = max(playbackPosition, position) }

    /// The log has grown.
    mutating func logAdvanced() { isBehind = true }
    mutating func commandStarted() { commandsInFlight += 1 }

    /// - Parameter isMessage: the command was a text or a voice message.
    mutating func commandAccepted(_ key: IdempotencyKey, _ accepted: Accepted, isMessage: Bool) {
        commandsInFlight -= 1
        isBehind = true
        answers.append(Answer(key: key, accepted: accepted, isOwnMessage: isMessage && !accepted.isRepeat))
    }

    mutating func commandRefused() {
        commandsInFlight -= 1
        isBehind = true
    }

    /// Advances over `events`, which begin right after the position, and returns what to write.
    /// - Parameters:
    ///   - marks: what this viewer sees of the marks now; `nil` where they are not known.
    ///   - visible: an event's bytes for this viewer; `nil` hides it.
    mutating func advance(
        _ events: [StoredEvent], marks: [Mark]?, room: Int, visible: (StoredEvent) -> [UInt8]?
    ) -> [Output] {
        var run = Run(rest: events[...], room: room)
        var outputs: [Output] = []
        isBehind = false
        while let answer = answers.first {
            let last = answer.accepted.sequence
            if last > position {
                let isSkipped = answer.isOwnMessage && run.event(last)?.mayBeMasked != true
                guard deliver(&run, through: isSkipped ? last - 1 : last, &outputs, visible) else { return outputs }
                if isSkipped { skip(&run) }
            }
            outputs.append(.ok(answer.key, sequence: last, at: answer.accepted.at))
            answers.removeFirst()
        }
        if commandsInFlight == 0, !deliver(&run, through: .max, &outputs, visible) { return outputs }
        if let marks, marks != self.marks {
            self.marks = marks
            outputs.append(.marks(marks))
        }
        return outputs
    }

    /// - Returns: whether everything through that number is in the outputs.
    private mutating func deliver(
        _ run: inout Run, through: Int, _ outputs: inout [Output], _ visible: (StoredEvent) -> [UInt8]?
    ) -> Bool {
        var bytes: [[UInt8]] = []
        var last = 0
        let before = position
        while let event = run.rest.first, event.sequence <= through, run.room > 0 {
            precondition(event.sequence == position + 1, "a delivery has no gap")
            if let encoded = visible(event) {
                run.room -= encoded.count
                bytes.append(encoded)
                last = event.sequence
            }
            position = event.sequence
            run.rest.removeFirst()
        }
        if position > before, !bytes.isEmpty { outputs.append(.deliver(bytes, through: position, last: last)) }
        let isDone = position >= through || (through == .max && run.rest.isEmpty)
        if !isDone { isBehind = true }
        return isDone
    }

    private mutating func skip(_ run: inout Run) {
        position += 1
        run.rest = run.rest.dropFirst()
    }

    /// The events that remain, and the bytes that may still be written.
    private struct Run {
        var rest: ArraySlice<StoredEvent>
        var room: Int

        /// The event with this number. `nil` where it is not among those that remain.
        func event(_ sequence: Int) -> StoredEvent? {
            guard let first = rest.first, sequence >= first.sequence else { return nil }
            return rest.dropFirst(sequence - first.sequence).first
        }
    }
}
