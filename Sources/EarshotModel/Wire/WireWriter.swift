import Foundation

/// Server frames as bytes. Events go in as they are stored: a delivery is a concatenation, whoever reads it.
public struct WireWriter: Sendable {
    public private(set) var bytes: [UInt8] = []

    public init() {}

    /// Forgets what was written and keeps the room.
    public mutating func clear() {
        bytes.removeAll(keepingCapacity: true)
    }

    public mutating func events(_ encoded: some Sequence<[UInt8]>, in conversation: ConversationID?, through: Int?) {
        bytes.append(raw: #"{"events":"#)
        append(events: encoded)
        append(conversation)
        append(#","through":"#, through)
        close()
    }

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

    public mutating func no(_ frame: ServerFrame.Refusal) {
        bytes.append(raw: #"{"no":"#)
        bytes.append(json: frame.key.rawValue)
        append(code: frame.code, frame.text)
        append(frame.conversation)
        append(#","limit":"#, frame.limit)
        append(#","after":"#, frame.after)
        close()
    }

    public mutating func typing(_ frame: ServerFrame.Typing) {
        bytes.append(raw: #"{"typing":"#)
        bytes.append(json: frame.by.rawValue)
        append(frame.conversation)
        if frame.isOff { bytes.append(raw: #","off":true"#) }
        close()
    }

    public mutating func marks(_ frame: ServerFrame.MovedMarks) {
        bytes.append(raw: #"{"marks":"#)
        append(marks: frame.marks)
        append(frame.conversation)
        close()
    }

    public mutating func played(_ frame: ServerFrame.MovedPlayback) {
        bytes.append(raw: #"{"played":"#)
        bytes.append(json: frame.played) { $1.append(to: &$0) }
        append(frame.conversation)
        close()
    }

    public mutating func settings(_ view: SettingsView) {
        bytes.append(raw: #"{"settings":"#)
        view.append(to: &bytes)
        close()
    }

    public mutating func rows(_ rows: some Sequence<InboxRow>, position: Int64) {
        bytes.append(raw: #"{"rows":"#)
        append(rows: rows)
        append(#","position":"#, Int(position))
        close()
    }

    /// One of the frames that come rarely: by the general encoder.
    public mutating func rare(_ frame: ServerFrame) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let encoded = try? encoder.encode(frame) else { preconditionFailure("a frame is plain values") }
        bytes.append(contentsOf: encoded)
    }

    public mutating func problem(_ frame: ServerFrame.Problem) {
        bytes.append(raw: #"{"problem":{"code":"#)
        bytes.append(json: frame.code)
        bytes.append(raw: #","text":"#, frame.text)
        append(frame.conversation)
        bytes.append(raw: "}}")
    }

    public mutating func bye(_ frame: ServerFrame.Farewell) {
        bytes.append(raw: #"{"bye":{"code":"#)
        bytes.append(json: frame.code)
        bytes.append(raw: #","text":"#, frame.text)
        append(#","after":"#, frame.after)
        bytes.append(raw: "}}")
    }

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

    /// Left away where it is empty: a conversation of texts is no byte longer for it.
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
