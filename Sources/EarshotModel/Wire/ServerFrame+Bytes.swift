extension ServerFrame {
    /// The frame as the server writes it.
    public var bytes: [UInt8] {
        var writer = WireWriter()
        writer.append(self)
        return writer.bytes
    }
}

extension WireWriter {
    /// The kinds that `WireWriter` writes by hand, because they are sent for every message, watermark or reconnect; the
    /// general encoder writes all others. Tests hold the two equal, with values made from a seed. Also by hand:
    /// `Event.wireBytes` writes the kinds of `Event.Kind.hotKinds`, and `ClientFrame.read` reads the frames of
    /// `ClientFrame.hotKinds`.
    public static let hotKinds = [
        "ready", "watching", "page", "ok", "no", "typing", "rows", "events", "marks", "played",
    ]

    fileprivate mutating func append(_ frame: ServerFrame) {
        switch frame {
        case .ready(let frame): ready(frame.parts, epoch: frame.epoch, me: frame.me, fresh: frame.fresh)
        case .inbox(let frame):
            inbox(
                frame.rows, epoch: frame.epoch, agent: frame.agent, position: frame.position, fresh: frame.fresh)
        case .events(let frame):
            events(frame.events.map(\.wireBytes), in: frame.conversation, through: frame.through)
        case .watching(let frame):
            watching(
                frame.conversation, who: frame.who, frame.parts, recorded: frame.recorded, fresh: frame.fresh)
        case .page(let frame):
            page(
                frame.events.map(\.wireBytes), of: frame.conversation, more: frame.more, played: frame.played ?? [])
        case .ok(let frame): ok(frame)
        case .no(let frame): no(frame)
        case .typing(let frame): typing(frame)
        case .marks(let frame): marks(frame)
        case .played(let frame): played(frame)
        case .rows(let frame): rows(frame.rows, position: frame.position, gone: frame.gone ?? [])
        case .settings, .expect, .me, .team, .wall, .centre, .problem, .bye, .signal, .call, .check, .checked:
            rare(frame)
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
