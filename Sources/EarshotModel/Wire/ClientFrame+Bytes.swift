extension ClientFrame {
    /// The kinds that `read` reads by hand, because clients send them for every message, receipt or reconnect.
    public static let hotKinds = [
        "send", "take", "close", "typing", "got", "read", "played", "watch", "unwatch", "page",
    ]

    /// The result of reading a frame without a general decoder.
    public enum Reading: Hashable, Sendable {
        /// The bytes are a valid frame.
        case frame(ClientFrame)
        /// The bytes are not a valid frame; the server answers with this refusal.
        case refused(FrameRefusal)
        /// The fast reader cannot judge the bytes. The caller must use a complete decoder.
        case unsure
    }

    /// Reads the frequent frames ten times faster than a general decoder. The result is what the `Codable` form gives,
    /// or `unsure`. The bytes must be valid UTF-8; the socket closes on anything else before it gets here.
    public static func read(_ bytes: UnsafeBufferPointer<UInt8>) -> Reading {
        var scanner = JSONScanner(bytes)
        guard let flat = try? FlatFrame(&scanner) else { return .unsure }
        return flat.frame
    }
}

/// The fields of a flat frame. Its kind is its first member.
private struct FlatFrame {
    private enum Kind {
        case send, take, close, typing, got, read, played, watch, unwatch, page
    }

    private let kind: Kind
    private let value: JSONScanner.Scalar
    private var conversation: ConversationID?
    private var text: String?
    private var audio: MediaID?
    private var read: Int?
    private var after: Int?
    private var before: Int?
    private var limit: Int?
    private var spans: [PlayedSpan]?

    init(_ scanner: inout JSONScanner) throws(JSONScanner.Unsure) {
        scanner.skipSpace()
        try scanner.expect("{")
        scanner.skipSpace()
        kind = try Self.kind(try scanner.name())
        value = try Self.value(&scanner)
        while scanner.take(",") {
            scanner.skipSpace()
            let name = try scanner.name()
            if name.spells("spans"), spans == nil {
                spans = try Self.spans(&scanner)
            } else {
                try set(name, try Self.value(&scanner))
            }
        }
        try scanner.expect("}")
        scanner.skipSpace()
        guard scanner.isAtEnd else { throw JSONScanner.Unsure() }
    }

    /// An invalid list of spans is left for the complete decoder to refuse.
    private static func spans(_ scanner: inout JSONScanner) throws(JSONScanner.Unsure) -> [PlayedSpan] {
        scanner.skipSpace()
        try scanner.expect(":")
        scanner.skipSpace()
        let pairs = try scanner.pairs(atMost: Limits.playedSpans.upperBound)
        var spans: [PlayedSpan] = []
        for pair in pairs {
            guard let span = PlayedSpan(from: pair.0, to: pair.1) else { throw JSONScanner.Unsure() }
            spans.append(span)
        }
        return spans
    }

    private static func value(_ scanner: inout JSONScanner) throws(JSONScanner.Unsure) -> JSONScanner.Scalar {
        scanner.skipSpace()
        try scanner.expect(":")
        scanner.skipSpace()
        let value = try scanner.scalar()
        scanner.skipSpace()
        return value
    }

    private static func kind(_ name: UnsafeBufferPointer<UInt8>) throws(JSONScanner.Unsure) -> Kind {
        if name.spells("send") { return .send }
        if name.spells("got") { return .got }
        if name.spells("read") { return .read }
        if name.spells("typing") { return .typing }
        if name.spells("played") { return .played }
        if name.spells("take") { return .take }
        if name.spells("close") { return .close }
        if name.spells("watch") { return .watch }
        if name.spells("unwatch") { return .unwatch }
        if name.spells("page") { return .page }
        throw JSONScanner.Unsure()
    }

    /// Accepts every field at most once and only with its own type. The complete decoder handles the rest.
    private mutating func set(_ name: UnsafeBufferPointer<UInt8>, _ value: JSONScanner.Scalar) throws(JSONScanner
        .Unsure)
    {
        if name.spells("c"), conversation == nil, case .string(let id) = value, let id = ConversationID(id) {
            conversation = id
        } else if name.spells("text"), text == nil, case .string(let value) = value {
            text = value
        } else if name.spells("audio"), audio == nil, case .string(let id) = value, let id = MediaID(id) {
            audio = id
        } else if case .integer(let number) = value {
            try set(name, number)
        } else {
            throw JSONScanner.Unsure()
        }
    }

    private mutating func set(_ name: UnsafeBufferPointer<UInt8>, _ number: Int) throws(JSONScanner.Unsure) {
        if name.spells("read"), read == nil, kind == .send {
            read = number
        } else if name.spells("after"), after == nil {
            after = number
        } else if name.spells("before"), before == nil {
            before = number
        } else if name.spells("limit"), limit == nil {
            limit = number
        } else {
            throw JSONScanner.Unsure()
        }
    }

    var frame: ClientFrame.Reading {
        switch (kind, value) {
        case (.send, .string(let key)): keyed(key, send)
        case (.take, .string(let key)): keyed(key) { key in conversation.map { .take(key, $0) } }
        case (.close, .string(let key)): keyed(key) { key in .close(key, conversation) }
        case (.typing, .bool(let isTyping)): .frame(.typing(isTyping, conversation))
        case (.got, .integer(let sequence)): .frame(.got(sequence, conversation))
        case (.read, .integer(let sequence)): .frame(.read(sequence, conversation))
        case (.played, .integer(let sequence)):
            spans.flatMap { ClientFrame.Played(sequence, in: conversation, spans: $0) }.map { .frame(.played($0)) }
                ?? .unsure
        case (.watch, .string(let id)): ConversationID(id).map { .frame(.watch($0, after: after)) } ?? .unsure
        case (.unwatch, .string(let id)): ConversationID(id).map { .frame(.unwatch($0)) } ?? .unsure
        case (.page, .null): before.map { .frame(.page(nil, before: $0, limit: limit)) } ?? .unsure
        case (.page, .string(let id)): page(id)
        default: .unsure
        }
    }

    private func keyed(_ text: String, _ make: (IdempotencyKey) -> ClientFrame?) -> ClientFrame.Reading {
        guard let key = IdempotencyKey(text) else { return .refused(FrameRefusal(FrameRefusal.badKey)) }
        return make(key).map { .frame($0) }
            ?? .refused(FrameRefusal(FrameRefusal.malformed, key: key, conversation: conversation))
    }

    private func send(_ key: IdempotencyKey) -> ClientFrame? {
        switch (text, audio) {
        case (let text?, nil): .send(.init(key: key, conversation: conversation, body: .text(text), read: read))
        case (nil, let media?): .send(.init(key: key, conversation: conversation, body: .audio(media), read: read))
        default: nil
        }
    }

    private func page(_ id: String) -> ClientFrame.Reading {
        guard let id = ConversationID(id), let before else { return .unsure }
        return .frame(.page(id, before: before, limit: limit))
    }
}

extension UnsafeBufferPointer<UInt8> {
    func spells(_ word: StaticString) -> Bool {
        guard count == word.utf8CodeUnitCount else { return false }
        for index in indices where self[index] != word.utf8Start[index] { return false }
        return true
    }
}
