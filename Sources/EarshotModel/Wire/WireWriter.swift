import Foundation

/// Writes server frames as bytes. Events are appended as stored, so a delivery is a concatenation for every recipient.
public struct WireWriter: Sendable {
    /// The JSON that was written so far. Each frame method appends one complete frame.
    public private(set) var bytes: [UInt8] = []

    /// Makes an empty writer, which can be reused after `clear()`.
    public init() {}

    /// Removes the written bytes and keeps the buffer's capacity.
    public mutating func clear() {
        bytes.removeAll(keepingCapacity: true)
    }

    /// Appends an `events` frame from events in their stored form. `through` is omitted if it is `nil`.
    public mutating func events(_ encoded: some Sequence<[UInt8]>, in conversation: ConversationID?, through: Int?) {
        bytes.append(raw: #"{"events":"#)
        append(events: encoded)
        append(conversation)
        append(#","through":"#, through)
        close()
    }

    /// Appends an `ok` frame, the acceptance of a command.
    public mutating func ok(_ frame: ServerFrame.Acceptance) {
        bytes.append(raw: #"{"ok":"#)
        bytes.append(json: frame.key.rawValue)
        bytes.append(raw: #","n":"#)
        bytes.append(json: frame.sequence)
        bytes.append(raw: #","at":"#)
        bytes.append(json: frame.at.milliseconds)
        append(frame.conversation)
        close()
    }

    /// Appends a `no` frame, the refusal of a command.
    public mutating func no(_ frame: ServerFrame.Refusal) {
        bytes.append(raw: #"{"no":"#)
        bytes.append(json: frame.key.rawValue)
        append(code: frame.code, frame.text)
        append(frame.conversation)
        append(#","limit":"#, frame.limit)
        append(#","after":"#, frame.after)
        close()
    }

    /// Appends a `typing` frame.
    public mutating func typing(_ frame: ServerFrame.Typing) {
        bytes.append(raw: #"{"typing":"#)
        bytes.append(json: frame.by.rawValue)
        append(frame.conversation)
        if frame.isOff { bytes.append(raw: #","off":true"#) }
        close()
    }

    /// Appends a `marks` frame with watermarks that changed.
    public mutating func marks(_ frame: ServerFrame.MovedMarks) {
        bytes.append(raw: #"{"marks":"#)
        append(marks: frame.marks)
        append(frame.conversation)
        close()
    }

    /// Appends a `played` frame with playback progress that changed.
    public mutating func played(_ frame: ServerFrame.MovedPlayback) {
        bytes.append(raw: #"{"played":"#)
        bytes.append(json: frame.played) { $1.append(to: &$0) }
        append(frame.conversation)
        close()
    }

    /// Appends a `rows` frame for an agent, complete through this feed position.
    /// - Parameter gone: the conversations that the agent sees no longer.
    public mutating func rows(_ rows: some Sequence<InboxRow>, position: Int64, gone: [ConversationID] = []) {
        bytes.append(raw: #"{"rows":"#)
        append(rows: rows)
        append(#","position":"#, Int(position))
        for (index, conversation) in gone.enumerated() {
            bytes.append(raw: index == 0 ? #","gone":["# : ",")
            bytes.append(json: conversation.rawValue)
        }
        if !gone.isEmpty { bytes.append(raw: "]") }
        close()
    }

    /// Appends a frame of a kind that is not in `WireWriter.hotKinds`, with the general encoder.
    public mutating func rare(_ frame: ServerFrame) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let encoded = try? encoder.encode(frame) else { preconditionFailure("a frame is plain values") }
        bytes.append(contentsOf: encoded)
    }

    /// Appends a `page` frame from events in their stored form. `conversation` is `nil` for a consumer.
    public mutating func page(
        _ encoded: some Sequence<[UInt8]>, of conversation: ConversationID?, more: Bool, played: [PlaybackProgress] = []
    ) {
        bytes.append(raw: #"{"page":"#)
        if let conversation { bytes.append(json: conversation.rawValue) } else { bytes.append(raw: "null") }
        bytes.append(raw: #","events":"#)
        append(events: encoded)
        append(#","more":"#, more)
        append(played: played)
        close()
    }
}

extension WireWriter {
    mutating func append(raw: StaticString) { bytes.append(raw: raw) }

    mutating func append(events: some Sequence<[UInt8]>) {
        bytes.append(json: events) { $0.append(contentsOf: $1) }
    }

    mutating func append(marks: [Mark]) {
        bytes.append(json: marks) { $1.append(to: &$0) }
    }

    /// Appends playback progress, or omits the member if there is none.
    mutating func append(played: [PlaybackProgress]) {
        guard !played.isEmpty else { return }
        bytes.append(raw: #","played":"#)
        bytes.append(json: played) { $1.append(to: &$0) }
    }

    mutating func append(rows: some Sequence<InboxRow>) {
        bytes.append(json: rows) { $1.append(to: &$0) }
    }

    mutating func append(people: [Participant]) {
        bytes.append(json: people) { $1.append(to: &$0) }
    }

    mutating func append(who: ConsumerCard) { who.append(to: &bytes) }
    mutating func append(recorded: RecordedFacts) { recorded.append(to: &bytes) }

    mutating func append(_ name: StaticString, _ value: String) {
        bytes.append(raw: name)
        bytes.append(json: value)
    }

    mutating func append(_ name: StaticString, _ value: Int?) {
        guard let value else { return }
        bytes.append(raw: name)
        bytes.append(json: value)
    }

    mutating func append(_ name: StaticString, _ value: Bool?) {
        guard let value else { return }
        bytes.append(raw: name)
        bytes.append(json: value)
    }

    private mutating func append(_ conversation: ConversationID?) {
        bytes.append(raw: #","c":"#, conversation?.rawValue)
    }

    private mutating func append(code: String, _ text: String) {
        bytes.append(raw: #","code":"#, code)
        bytes.append(raw: #","text":"#, text)
    }

    mutating func close() { bytes.append(UInt8(ascii: "}")) }
}
