public import EarshotModel

/// The side that looks at a conversation.
public enum Viewer: Hashable, Sendable {
    /// The consumer.
    case consumer
    /// A person of the brand.
    case brand
    /// A person of the brand who may not read private notes.
    case brandWithoutNotes
}

/// How much of an event a viewer sees. Most events look the same to everyone, so that one encoded form serves all of
/// them.
public enum Visibility: Hashable, Sendable {
    /// The event as it is.
    case same
    /// This event in its place.
    case instead(Event)
    /// Nothing.
    case hidden
}

extension Event {
    /// How much of it this viewer may see. No other code decides this.
    public func visible(to viewer: Viewer) -> Visibility {
        switch viewer {
        case .brand: return .same
        case .brandWithoutNotes: if case .note = kind { return .hidden } else { return .same }
        case .consumer: return Visibility(toConsumer: self)
        }
    }
}

extension Visibility {
    /// How much of an event a consumer may see.
    fileprivate init(toConsumer event: Event) {
        switch event.kind {
        case .joined(let joined) where joined.quiet != true && joined.id != nil:
            let shown = Event.Joined(role: joined.role, name: joined.name, id: nil)
            self = .instead(Event(sequence: event.sequence, at: event.at, by: event.by, kind: .joined(shown)))
        case .joined(let joined): self = joined.quiet == true ? .hidden : .same
        default: self = event.kind.isPrivate ? .hidden : .same
        }
    }
}

extension [Participant] {
    /// The participants whom this viewer may see, with what they may know about them.
    public func visible(to viewer: Viewer) -> [Participant] {
        guard viewer == .consumer else { return self }
        return filter { $0.quiet != true }.map { Participant(by: $0.by, role: $0.role, name: $0.name, id: nil) }
    }
}

/// How far each participant has received and read a conversation, at most one mark each.
public struct Marks: Hashable, Codable, Sendable {
    /// The marks of all participants.
    public private(set) var all: [Mark]
    /// The voice messages that the brand has not listened to.
    public var unplayed: Unplayed
    /// The feed position at which any participant last played a new part of a voice message; 0: never.
    public var playbackPosition: Int64

    /// Makes the value.
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

    /// The mark of a participant.
    public subscript(_ by: ParticipantNumber) -> Mark {
        all.first { $0.by == by } ?? Mark(by: by, delivered: 0, read: 0)
    }

    /// The furthest mark of the brand's people, as participant 2: the consumer does not learn which of them it was.
    public var brand: Mark {
        all.filter(\.by.isBrand).reduce(Mark(by: .firstAgent, delivered: 0, read: 0)) { $0.merged(with: $1) }
    }

    /// The marks that a viewer sees: those of the other side.
    public func visible(to viewer: Viewer) -> [Mark] {
        switch viewer {
        case .consumer: brand.delivered > 0 ? [brand] : []
        case .brand, .brandWithoutNotes: self[.consumer].delivered > 0 ? [self[.consumer]] : []
        }
    }
}

extension InboxRow {
    /// The row of this conversation; `nil` before the first event.
    public init?(_ state: ConversationState, marks: Marks, who: String, position: Int64) {
        guard state.sequence > 0, let at = state.lastEventAt else { return nil }
        let read = marks.brand.read
        let person = state.assignee.flatMap(state.person)
        let caller = state.routing.call.flatMap { state.person($0.by)?.id }
        self.init(
            conversation: state.identity.id, position: position, status: state.status, assignee: person?.id,
            assigneeName: person?.name, who: who,
            channel: state.identity.channel, app: state.identity.app, sequence: state.sequence, at: at,
            since: state.since ?? at, last: state.last,
            unread: state.unanswered.count { $0 > read }, unplayed: marks.unplayed.milliseconds,
            routing: state.routing.row(afterword: state.afterword, caller: caller))
    }
}
