extension ServerFrame {
    /// The frame as the server writes it.
    public var bytes: [UInt8] {
        var writer = WireWriter()
        append(to: &writer)
        return writer.bytes
    }

    private func append(to writer: inout WireWriter) {
        switch self {
        case .ready(let frame): writer.ready(frame.parts, epoch: frame.epoch, me: frame.me, fresh: frame.fresh)
        case .inbox(let frame):
            writer.inbox(
                frame.rows, epoch: frame.epoch, agent: frame.agent, position: frame.position, fresh: frame.fresh)
        case .events(let frame):
            writer.events(frame.events.map(\.wireBytes), in: frame.conversation, through: frame.through)
        case .watching(let frame): writer.watching(frame.conversation, who: frame.who, frame.parts, fresh: frame.fresh)
        case .page(let frame):
            writer.page(
                frame.events.map(\.wireBytes), of: frame.conversation, more: frame.more, played: frame.played ?? [])
        case .ok(let frame): writer.ok(frame)
        case .no(let frame): writer.no(frame)
        case .typing(let frame): writer.typing(frame)
        case .marks(let frame): writer.marks(frame)
        case .played(let frame): writer.played(frame)
        case .settings(let view): writer.settings(view)
        case .rows(let frame): writer.rows(frame.rows, position: frame.position)
        case .problem(let frame): writer.problem(frame)
        case .bye(let frame): writer.bye(frame)
        case .expect, .me, .team, .wall, .centre: writer.rare(self)
        }
    }
}

extension ServerFrame.ConsumerReady {
    fileprivate var parts: SnapshotParts {
        SnapshotParts(
            status: status, people: people, marks: marks, events: events.map(\.wireBytes), through: through, more: more,
            played: played ?? [])
    }
}

extension ServerFrame.Watching {
    fileprivate var parts: SnapshotParts {
        SnapshotParts(
            status: status, people: people, marks: marks, events: events.map(\.wireBytes), through: through, more: more,
            played: played ?? [])
    }
}
