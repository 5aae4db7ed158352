public import EarshotModel

extension ConversationState {
    /// The state after this event. Pure; the event is the next one of this conversation.
    public func evolved(by event: Event) -> ConversationState {
        var next = self
        next.apply(event)
        return next
    }

    /// Applies the event in place. An event that is not the next one is an error of the log, never of a client.
    public mutating func apply(_ event: Event) {
        precondition(event.sequence == sequence + 1, "events are numbered without gaps")
        sequence = event.sequence
        // Offers, tags and automatic messages do not count: an inbox shows when a person last wrote or did something.
        if !event.kind.isContactCentre { lastEventAt = event.at }
        switch event.kind {
        case .started: began(event.at)
        case .text(let text):
            said(event, InboxRow.Preview(by: event.by, text: Self.preview(text)))
            routing.remember(
                TrailingDigits(text, by: event.by, at: event.at, after: routing.trailingDigits(of: event.by)),
                of: event.by)
        case .audio(let audio): said(event, InboxRow.Preview(by: event.by, audio: audio.durationMs))
        case .joined(let joined): came(event, joined)
        case .assigned(let assigned): given(to: assigned.to, at: event.at)
        case .closed(let closed): ended(event.at, closed, by: event.by)
        case .resumed: wentOn(event.at, by: event.by)
        case .scanned, .unknown: break
        default: apply(event.kind, by: event.by, at: event.at)
        }
    }

    private mutating func said(_ event: Event, _ preview: InboxRow.Preview) {
        last = preview
        if routing.settledAt != nil { routing.settle(at: nil) }
        if event.by.isConsumer {
            wait(for: event.sequence, since: event.at)
        } else {
            routing.want(nil)
            answered(at: event.at)
            unanswered.removeAll()
            since = event.at
        }
    }

    static func preview(_ text: String) -> String {
        text.utf8.count <= Limits.previewCharacters ? text : String(text.prefix(Limits.previewCharacters))
    }
}

extension ConversationState {
    /// The state after these events. - Complexity: one pass.
    public static func fold(_ events: some Sequence<Event>, of identity: ConversationIdentity) -> ConversationState {
        var state = ConversationState(identity)
        for event in events { state.apply(event) }
        return state
    }
}
