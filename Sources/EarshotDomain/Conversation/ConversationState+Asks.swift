import EarshotModel

/// Commands of the brand's people other than messages.
extension ConversationState {
    func asked(_ command: Command, by actor: Actor, _ context: Context) throws(Rejection) -> [Fact] {
        guard status != .new else { throw .notFound }
        switch command {
        case .decline: return try declined(by: actor)
        case .transfer(let transfer): return try transferred(transfer, by: actor, context)
        case .takeOver: return try takenOver(by: actor)
        case .join: return try joined(by: actor)
        case .leave: return try left(by: actor)
        case .note(let note): return try noted(note, by: actor, context)
        case .callback(let seconds): return try callback(seconds, by: actor, context)
        case .tags(let tags): return try labelled(by: actor, .tagged(.init(tags: try checked(tags))))
        case .attribute(let attribute): return try labelled(by: actor, .attribute(try checked(attribute)))
        case .dispose(let id): return try labelled(by: actor, .disposed(try disposition(id, context)))
        case .urgent(let on): return try labelled(by: actor, .urgent(.init(on: on)))
        case .noticed: return try noticed(by: actor)
        case .send, .take, .close, .closeQuietly, .rate: throw FrameRefusal.malformed
        }
    }

    private func declined(by actor: Actor) throws(Rejection) -> [Fact] {
        guard let id = actor.agent, status == .waiting,
            routing.offer?.to.contains(id) == true || routing.reserved?.agent == id
        else {
            throw Rejection(.offerGone, "This offer has expired.")
        }
        return quietly(actor, .declined(.init(agents: [id], said: true)))
    }

    private func transferred(_ transfer: Command.Transfer, by actor: Actor, _ context: Context) throws(Rejection)
        -> [Fact]
    {
        guard status != .closed else { throw alreadyClosed }
        guard actor.isManager || (status == .open && participant(actor) == assignee) else { throw notAssigned }
        let skill = transfer.skill ?? routing.skill ?? context.centre.defaultSkill.id
        guard context.centre.skill(skill) != nil else { throw Rejection(.unknownSkill, "There is no such skill.") }
        if let agent = transfer.agent, context.colleagues[agent] == nil {
            throw Rejection(.unknownAgent, "There is no such person. Choose someone from the list.")
        }
        let isElsewhere = transfer.agent != nil || transfer.skill != nil
        let until = transfer.agent.map { _ in
            context.now.adding(milliseconds: Int64(context.centre.silence.transferSeconds) * 1000)
        }
        let queued = Event.Queued(
            skill: skill, why: isElsewhere ? .transferred : .returned, to: transfer.agent, until: until)
        let (number, joining) = joining(actor, quietly: true)
        let hasNote = transfer.note?.isEmpty == false || context.audio != nil
        let note = hasNote ? [Fact(number, .note(try checkedNote(transfer.note, [], context)))] : []
        return joining + note + [Fact(number, .queued(queued))]
    }

    private func takenOver(by actor: Actor) throws(Rejection) -> [Fact] {
        guard actor.isManager else { throw Rejection(.forbidden, "Only a manager can take over a conversation.") }
        guard status != .closed else { throw alreadyClosed }
        let (number, joining) = joining(actor)
        guard status != .open || assignee != number else {
            throw Rejection(.alreadyTaken, "You already have this conversation.")
        }
        return joining + [Fact(number, .assigned(.init(to: number)))]
    }

    private func joined(by actor: Actor) throws(Rejection) -> [Fact] {
        guard actor.isManager else { throw Rejection(.forbidden, "Only a manager can join a conversation.") }
        guard status != .closed else { throw alreadyClosed }
        let known = participant(actor)
        if let known, known == assignee || routing.here.contains(known) {
            throw Rejection(.alreadyTaken, "You have already joined this conversation.")
        }
        guard case .agent(let id, let name, let role) = actor else { throw .notFound }
        let number = known ?? joining(actor).0
        return [Fact(number, .joined(.init(role: role, name: name, id: id)))]
    }

    private func left(by actor: Actor) throws(Rejection) -> [Fact] {
        guard let number = participant(actor), routing.here.contains(number), number != assignee else {
            throw Rejection(.notAssigned, "You did not join this conversation.")
        }
        return [Fact(number, .left)]
    }

    private func noted(_ note: Command.Note, by actor: Actor, _ context: Context) throws(Rejection) -> [Fact] {
        quietly(actor, .note(try checkedNote(note.text, note.mentions ?? [], context)))
    }

    private func callback(_ seconds: Int, by actor: Actor, _ context: Context) throws(Rejection) -> [Fact] {
        guard status == .open, let number = participant(actor), number == assignee else { throw notAssigned }
        if seconds == 0 { return [Fact(number, .callback(.init(until: nil)))] }
        let range = Limits.callbackSeconds
        guard range.contains(seconds) else {
            throw Rejection(
                .outOfRange, "A callback is in one minute to one week.",
                limit: seconds < range.lowerBound ? range.lowerBound : range.upperBound)
        }
        return [Fact(number, .callback(.init(until: context.now.adding(milliseconds: Int64(seconds) * 1000))))]
    }

    private func noticed(by actor: Actor) throws(Rejection) -> [Fact] {
        guard let id = actor.agent, routing.mentioned.contains(id) else { throw .notFound }
        return quietly(actor, .noticed(.init(agent: id)))
    }

    private func labelled(by actor: Actor, _ kind: Event.Kind) throws(Rejection) -> [Fact] { quietly(actor, kind) }

    private func quietly(_ actor: Actor, _ kind: Event.Kind) -> [Fact] {
        let (number, joining) = joining(actor, quietly: true)
        return joining + [Fact(number, kind)]
    }

    private var alreadyClosed: Rejection { Rejection(.alreadyClosed, "This conversation is closed.") }
}

/// Checks of notes, tags and attributes.
extension ConversationState {
    private func checkedNote(_ text: String?, _ mentions: [AgentID], _ context: Context) throws(Rejection) -> Event.Note
    {
        if let text, !text.isWithin(scalars: Limits.noteScalars) {
            throw Rejection(
                .textTooLong, "A note has at most \(Limits.noteScalars) characters.", limit: Limits.noteScalars)
        }
        let hasWords = text?.unicodeScalars.contains { !$0.properties.isWhitespace } ?? false
        guard hasWords || context.audio != nil else { throw Rejection(.textEmpty, "This note is empty.") }
        // The scanner's verdict is an event that the consumer sees, and the consumer must not learn of a note.
        guard context.audio?.scan == nil else {
            throw Rejection(.audioPending, "This recording is still being checked. Try again in a moment.")
        }
        guard mentions.count <= Limits.mentions else {
            throw Rejection(.outOfRange, "A note mentions at most \(Limits.mentions) people.", limit: Limits.mentions)
        }
        for agent in mentions where context.colleagues[agent] == nil {
            throw Rejection(.unknownAgent, "There is no such person. Choose someone from the list.")
        }
        return Event.Note(text: hasWords ? text : nil, audio: context.audio, mentions: mentions)
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
        guard
            attribute.value == nil || routing.attributes[attribute.name] != nil
                || routing.attributes.count < Limits.attributes
        else {
            throw Rejection(
                .outOfRange, "A conversation has at most \(Limits.attributes) attributes.", limit: Limits.attributes)
        }
        return attribute
    }

    private func disposition(_ id: String, _ context: Context) throws(Rejection) -> Event.Disposed {
        guard
            let known = context.centre.wrapUp.dispositions.first(where: {
                $0.id == id && ($0.skill == nil || $0.skill == routing.skill)
            })
        else {
            throw Rejection(.outOfRange, "This disposition is not on the brand's list. Choose another one.")
        }
        return Event.Disposed(id: known.id, name: known.name)
    }
}

extension Actor {
    var agent: AgentID? {
        if case .agent(let id, _, _) = self { id } else { nil }
    }

    var isManager: Bool {
        if case .agent(_, _, .manager) = self { true } else { false }
    }
}
