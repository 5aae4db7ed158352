public import EarshotModel

extension ConversationState {
    /// The state after this event. Pure; the event is the next one of this conversation.
    public func evolved(by event: Event) -> ConversationState {
        var next = self
        next.apply(event)
        return next
    }

    /// The same, in place. An event that is not the next one is a fault of the log, never of a client.
    public mutating func apply(_ event: Event) {
        precondition(event.sequence == sequence + 1, "events are numbered without gaps")
        sequence = event.sequence
        lastEventAt = event.at
        switch event.kind {
        case .started: status = .waiting
        case .text(let text): said(event, InboxRow.Preview(by: event.by, text: Self.preview(text)))
        case .audio(let audio): said(event, InboxRow.Preview(by: event.by, audio: audio.durationMs))
        case .joined(let joined): people.append(Participant(by: event.by, role: joined.role, name: joined.name, id: joined.id))
        case .assigned(let assigned): (status, assignee) = (.open, assigned.to)
        case .closed: (status, assignee, since, unanswered) = (.closed, nil, event.at, [])
        case .resumed: (status, since) = (.waiting, event.at)
        case .scanned, .unknown: break
        }
    }

    private mutating func said(_ event: Event, _ preview: InboxRow.Preview) {
        last = preview
        if event.by.isConsumer {
            if unanswered.isEmpty { since = event.at }
            unanswered.append(event.sequence)
            if unanswered.count > Limits.unread { unanswered.removeFirst() }
        } else {
            unanswered.removeAll()
            since = event.at
        }
    }

    static func preview(_ text: String) -> String {
        text.utf8.count <= Limits.previewCharacters ? text : String(text.prefix(Limits.previewCharacters))
    }
}

extension ConversationState {
    /// What these events add up to. - Complexity: one pass.
    public static func fold(_ events: some Sequence<Event>, of identity: ConversationIdentity) -> ConversationState {
        var state = ConversationState(identity)
        for event in events { state.apply(event) }
        return state
    }
}
