extension Event: Codable {
    private enum Key: String, CodingKey {
        case n, at, by, started, text, audio, scanned, joined, assigned, closed, resumed
    }

    private struct Nothing: Codable {}

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        sequence = try container.decode(Int.self, forKey: .n)
        at = try container.decode(Timestamp.self, forKey: .at)
        by = try container.decode(ParticipantNumber.self, forKey: .by)
        kind =
            try Self.decodeKind(from: container) ?? Work.decode(decoder.container(keyedBy: Work.Kind.self)).map(
                Kind.work) ?? .unknown
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(sequence, forKey: .n)
        try container.encode(at, forKey: .at)
        try container.encode(by, forKey: .by)
        switch kind {
        case .started(let value): try container.encode(value, forKey: .started)
        case .text(let value): try container.encode(value, forKey: .text)
        case .audio(let value): try container.encode(value, forKey: .audio)
        case .scanned(let value): try container.encode(value, forKey: .scanned)
        case .joined(let value): try container.encode(value, forKey: .joined)
        case .assigned(let value): try container.encode(value, forKey: .assigned)
        case .closed(let value): try container.encode(value, forKey: .closed)
        case .resumed: try container.encode(Nothing(), forKey: .resumed)
        case .work(let work): try work.encode(to: encoder)
        case .unknown: break
        }
    }

    private static func decodeKind(from container: KeyedDecodingContainer<Key>) throws -> Kind? {
        if let value = try container.decodeIfPresent(String.self, forKey: .text) { return .text(value) }
        if let value = try container.decodeIfPresent(AudioContent.self, forKey: .audio) { return .audio(value) }
        if let value = try container.decodeIfPresent(Scanned.self, forKey: .scanned) { return .scanned(value) }
        if let value = try container.decodeIfPresent(Started.self, forKey: .started) { return .started(value) }
        if let value = try container.decodeIfPresent(Joined.self, forKey: .joined) { return .joined(value) }
        if let value = try container.decodeIfPresent(Assigned.self, forKey: .assigned) { return .assigned(value) }
        if let value = try container.decodeIfPresent(Closed.self, forKey: .closed) { return .closed(value) }
        if container.contains(.resumed) { return .resumed }
        return nil
    }
}
