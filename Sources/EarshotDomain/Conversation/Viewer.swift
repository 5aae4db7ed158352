public import EarshotModel

/// For whose eyes.
public enum Viewer: Hashable, Sendable {
    case consumer
    case brand
}

/// What a viewer gets of an event. Most events look the same to everyone, so that one encoded form serves all of them.
public enum Visibility: Hashable, Sendable {
    case same
    case instead(Event)
    case hidden
}

extension Event {
    /// What this viewer may see of it. The one place that decides this, on every path.
    public func visible(to viewer: Viewer) -> Visibility {
        guard viewer == .consumer else { return .same }
        switch kind {
        case .joined(let joined):
            guard joined.quiet != true else { return .hidden }
            return joined.id == nil
                ? .same : .instead(with(.joined(.init(role: joined.role, name: joined.name, id: nil))))
        case .work(let work): return work.isPrivate ? .hidden : .same
        case .started, .text, .audio, .scanned, .assigned, .closed, .resumed, .unknown: return .same
        }
    }

    private func with(_ kind: Kind) -> Event { Event(sequence: sequence, at: at, by: by, kind: kind) }
}

extension [Participant] {
    /// Who of them this viewer knows of, and what.
    public func visible(to viewer: Viewer) -> [Participant] {
        guard viewer == .consumer else { return self }
        return filter { $0.quiet != true }.map { Participant(by: $0.by, role: $0.role, name: $0.name, id: nil) }
    }
}

/// How far each participant is. `marks` of one conversation, at most one each.
public struct Marks: Hashable, Codable, Sendable {
    public private(set) var all: [Mark]
    /// What the brand has still to listen to.
    public var unplayed: Unplayed
    /// Feed position at which anybody last played anything new of a voice message; 0: nobody ever did.
    public var playbackPosition: Int64

    public init(_ all: [Mark] = [], unplayed: Unplayed = Unplayed(), playbackPosition: Int64 = 0) {
        self.all = all
        self.unplayed = unplayed
        self.playbackPosition = playbackPosition
    }

    /// Raises one mark. Never beyond the last event, never back.
    /// - Returns: whether anything moved.
    @discardableResult
    public mutating func raise(_ mark: Mark, lastSequence: Int) -> Bool {
        let bounded = Mark(
            by: mark.by, delivered: min(mark.delivered, lastSequence), read: min(mark.read, lastSequence))
        guard let index = all.firstIndex(where: { $0.by == mark.by }) else {
            guard bounded.delivered > 0 else { return false }
            all.append(bounded)
            return true
        }
        let merged = all[index].merged(with: bounded)
        guard merged != all[index] else { return false }
        all[index] = merged
        return true
    }

    public subscript(_ by: ParticipantNumber) -> Mark {
        all.first { $0.by == by } ?? Mark(by: by, delivered: 0, read: 0)
    }

    /// The furthest of the brand's people, as participant 2: which of them it was is not the consumer's business.
    public var brand: Mark {
        all.filter(\.by.isBrand).reduce(Mark(by: .firstAgent, delivered: 0, read: 0)) { $0.merged(with: $1) }
    }

    /// What a viewer sees of them: the other side's.
    public func visible(to viewer: Viewer) -> [Mark] {
        switch viewer {
        case .consumer: brand.delivered > 0 ? [brand] : []
        case .brand: self[.consumer].delivered > 0 ? [self[.consumer]] : []
        }
    }
}

extension ConversationState {
    /// The inbox line of this conversation; `nil` before anything was said.
    public func row(marks: Marks, who: String, position: Int64) -> InboxRow? {
        guard sequence > 0, let at = lastEventAt else { return nil }
        let read = marks.brand.read
        let person = assignee.flatMap(person)
        return InboxRow(
            conversation: identity.id, position: position, status: status, assignee: person?.id,
            assigneeName: person?.name, who: who,
            channel: identity.channel, app: identity.app, sequence: sequence, at: at, since: since ?? at, last: last,
            unread: unanswered.count { $0 > read }, unplayed: marks.unplayed.milliseconds, routing: routing.row)
    }
}
