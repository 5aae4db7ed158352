import EarshotModel

/// Decides the commands that record something about a conversation and leave its assignee as it is: notes, tags,
/// attributes, urgency, the disposition, a callback, that no answer is needed, and the survey's answers.
struct AnnotationDecision {
    private let state: ConversationState
    private let actor: Actor
    private let context: Context

    init(_ state: ConversationState, by actor: Actor, in context: Context) {
        self.state = state
        self.actor = actor
        self.context = context
    }

    /// The facts that follow from a command of one of the brand's people.
    func facts(for command: Command) throws(Rejection) -> [Fact] {
        switch command {
        case .note(let note): try noted(note)
        case .callback(let seconds): try callback(seconds)
        case .tags(let tags): state.quietly(actor, .tagged(.init(tags: try checked(tags))))
        case .attribute(let attribute): state.quietly(actor, .attribute(try checked(attribute)))
        case .dispose(let id): state.quietly(actor, .disposed(try disposition(id)))
        case .urgent(let on): state.quietly(actor, .urgent(.init(on: on)))
        case .settle: try settled()
        case .noticed: try noticed()
        default: throw FrameRefusal.malformed
        }
    }

    /// The facts that follow from the consumer's answers to the survey.
    func facts(for rate: Command.Rate) throws(Rejection) -> [Fact] {
        guard let survey = state.routing.survey, state.status == .closed, context.now < survey.until else {
            throw Rejection(.surveyClosed, "This survey is over.")
        }
        if let csat = rate.csat, !(1...5).contains(csat) {
            throw Rejection(.outOfRange, "An answer is 1 to 5.", limit: csat < 1 ? 1 : 5)
        }
        if let nps = rate.nps, !(0...10).contains(nps) {
            throw Rejection(.outOfRange, "An answer is 0 to 10.", limit: nps < 0 ? 0 : 10)
        }
        if let text = rate.text, !text.isWithin(scalars: Limits.ratingScalars) {
            throw Rejection(
                .textTooLong, "An answer has at most \(Limits.ratingScalars) characters.", limit: Limits.ratingScalars)
        }
        guard rate.csat != nil || rate.nps != nil || rate.text != nil || context.audio != nil else {
            throw Rejection(.textEmpty, "This answer is empty.")
        }
        return [
            Fact(
                .consumer,
                .rated(
                    .init(
                        csat: rate.csat, nps: rate.nps, text: rate.text.map { context.stored($0) }, audio: context.audio
                    )))
        ]
    }

    private func noted(_ note: Command.Note) throws(Rejection) -> [Fact] {
        state.quietly(actor, .note(try context.note(note.text, mentioning: note.mentions ?? [])))
    }

    private func callback(_ seconds: Int) throws(Rejection) -> [Fact] {
        guard state.status == .open, let number = state.participant(actor), number == state.assignee else {
            throw state.notAssigned
        }
        if seconds == 0 { return [Fact(number, .callback(.init(until: nil)))] }
        let range = Limits.callbackSeconds
        guard range.contains(seconds) else {
            throw Rejection(
                .outOfRange, "A callback is in one minute to one week.",
                limit: seconds < range.lowerBound ? range.lowerBound : range.upperBound)
        }
        return [Fact(number, .callback(.init(until: context.now.adding(milliseconds: Int64(seconds) * 1000))))]
    }

    private func settled() throws(Rejection) -> [Fact] {
        guard !state.unanswered.isEmpty else {
            throw Rejection(.nothingUnanswered, "Nothing waits for an answer here.")
        }
        if state.status == .closed { return state.quietly(actor, .settled) }
        guard state.status == .open, let number = state.participant(actor),
            number == state.assignee || state.routing.here.contains(number)
        else { throw state.notAssigned }
        return [Fact(number, .settled)]
    }

    private func noticed() throws(Rejection) -> [Fact] {
        guard let id = actor.agent, state.routing.mentioned.contains(id) else { throw .notFound }
        return state.quietly(actor, .noticed(.init(agent: id)))
    }

    private func checked(_ tags: [String]) throws(Rejection) -> [String] {
        guard tags.count <= Limits.tags else {
            throw Rejection(.outOfRange, "A conversation has at most \(Limits.tags) tags.", limit: Limits.tags)
        }
        for tag in tags {
            guard !tag.isEmpty, tag.isWithin(scalars: Limits.tagScalars) else {
                throw Rejection(
                    .outOfRange, "A tag has 1 to \(Limits.tagScalars) characters.", limit: Limits.tagScalars)
            }
        }
        guard Set(tags).count == tags.count else { throw Rejection(.badRequest, "A tag is listed twice.") }
        return tags
    }

    private func checked(_ attribute: Event.Attribute) throws(Rejection) -> Event.Attribute {
        guard !attribute.name.isEmpty, attribute.name.isWithin(scalars: Limits.tagScalars) else {
            throw Rejection(.outOfRange, "A name has 1 to \(Limits.tagScalars) characters.", limit: Limits.tagScalars)
        }
        if let value = attribute.value, !value.isWithin(scalars: Limits.attributeScalars) {
            throw Rejection(
                .outOfRange, "A value has at most \(Limits.attributeScalars) characters.",
                limit: Limits.attributeScalars)
        }
        try checkKind(of: attribute)
        guard
            attribute.value == nil || state.routing.attributes[attribute.name] != nil
                || state.routing.attributes.count < Limits.attributes
        else {
            throw Rejection(
                .outOfRange, "A conversation has at most \(Limits.attributes) attributes.", limit: Limits.attributes)
        }
        return Event.Attribute(name: attribute.name, value: attribute.value.map { context.stored($0) })
    }

    /// Checks a value by the kind that the brand's list gives its attribute. An attribute that is not listed is text.
    private func checkKind(of attribute: Event.Attribute) throws(Rejection) {
        guard let value = attribute.value,
            let listed = context.centre.wrapUp.attributes.first(where: { $0.id == attribute.name })
        else { return }
        guard listed.type.accepts(value) else {
            throw Rejection(.badRequest, "\(listed.name): \(listed.type.expectation)")
        }
    }

    private func disposition(_ id: String) throws(Rejection) -> Event.Disposed {
        guard
            let known = context.centre.wrapUp.dispositions.first(where: {
                $0.id == id && ($0.skill == nil || $0.skill == state.routing.skill)
            })
        else {
            throw Rejection(.outOfRange, "This disposition is not on the brand's list. Choose another one.")
        }
        return Event.Disposed(id: known.id, name: known.name)
    }
}
