import EarshotModel

/// Decides the commands that change who takes part in a conversation: take, transfer, take over, join, leave, decline,
/// close, and take back a close.
struct AssignmentDecision {
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
        case .take: try taken()
        case .close: try closed(quietly: false)
        case .closeQuietly: try closed(quietly: true)
        case .reopen: try reopened()
        case .decline: try declined()
        case .transfer(let transfer): try transferred(transfer)
        case .takeOver: try takenOver()
        case .join: try joined()
        case .leave: try left()
        default: throw FrameRefusal.malformed
        }
    }

    /// The facts that follow when the consumer closes the conversation.
    func closedByConsumer() throws(Rejection) -> [Fact] {
        switch state.status {
        case .new: throw .notFound
        case .closed: throw Rejection(.alreadyClosed, "This conversation is closed already.")
        case .waiting, .open: return [Fact(.consumer, .closed(.init(why: .consumer)))]
        }
    }

    private func taken() throws(Rejection) -> [Fact] {
        switch state.status {
        case .new: throw .notFound
        case .closed:
            throw Rejection(.alreadyClosed, "This conversation is closed. Write to the customer to open it again.")
        case .open:
            throw Rejection(
                .alreadyTaken,
                "\(state.assignee.flatMap(state.person)?.name ?? "Another agent") already answers this conversation."
            )
        case .waiting:
            try state.checkOffer(actor)
            if let id = actor.agent, context.isFull, state.routing.offer?.to.contains(id) == true {
                throw Rejection(.overCapacity, "You're at capacity. Close or snooze a conversation first.")
            }
            let (number, joining) = state.joining(actor)
            return joining + [Fact(number, .assigned(.init(to: number)))]
        }
    }

    private func closed(quietly: Bool) throws(Rejection) -> [Fact] {
        switch state.status {
        case .new: throw .notFound
        case .closed: throw Rejection(.alreadyClosed, "This conversation is closed already.")
        case .waiting, .open:
            let (number, joining) = state.joining(actor)
            guard number == state.assignee || actor.may(.closeOthersConversations) else { throw state.notAssigned }
            if state.routing.disposition == nil,
                state.routing.skill.flatMap(context.centre.skill)?.disposition == .required
            {
                throw Rejection(.dispositionRequired, "Choose a disposition before you close this conversation.")
            }
            return joining + [Fact(number, .closed(.init(quiet: quietly)))]
        }
    }

    private func reopened() throws(Rejection) -> [Fact] {
        guard state.status == .closed else { throw Rejection(.reopenExpired, "This conversation is open again.") }
        guard let closing = state.routing.closing, state.participant(actor) == closing.by else {
            throw Rejection(
                .notAssigned, "Someone else closed this conversation. Write a message to open it again.")
        }
        guard state.mayReopen(at: context.now) else {
            throw Rejection(
                .reopenExpired, "It is too late to take this back. Write a message to open it again.")
        }
        return [Fact(closing.by, .reopened(.init(to: closing.assignee)))]
    }

    private func declined() throws(Rejection) -> [Fact] {
        guard let id = actor.agent, state.status == .waiting,
            state.routing.offer?.to.contains(id) == true || state.routing.reserved?.agent == id
        else {
            throw Rejection(.offerGone, "This offer has expired.")
        }
        return state.quietly(actor, .declined(.init(agents: [id], said: true)))
    }

    private func transferred(_ transfer: Command.Transfer) throws(Rejection) -> [Fact] {
        guard state.status != .closed else { throw alreadyClosed }
        let isOwn = state.status == .open && state.participant(actor) == state.assignee
        guard isOwn || actor.may(.transferOthersConversations) else { throw state.notAssigned }
        let skill = transfer.skill ?? state.routing.skill ?? context.centre.defaultSkill.id
        guard context.centre.skill(skill) != nil else { throw Rejection(.unknownSkill, "There is no such skill.") }
        if let agent = transfer.agent { try checkReceiver(agent) }
        let isElsewhere = transfer.agent != nil || transfer.skill != nil
        let until = transfer.agent.map { _ in
            context.now.adding(milliseconds: Int64(context.centre.silence.transferSeconds) * 1000)
        }
        let queued = Event.Queued(
            skill: skill, why: isElsewhere ? .transferred : .returned, to: transfer.agent, until: until)
        let (number, joining) = state.joining(actor, quietly: true)
        let hasNote = transfer.note?.isEmpty == false || context.audio != nil
        let note = hasNote ? [Fact(number, .note(try context.note(transfer.note, mentioning: [])))] : []
        return joining + note + [Fact(number, .queued(queued))]
    }

    private func checkReceiver(_ agent: AgentID) throws(Rejection) {
        guard let name = context.colleagues[agent] else {
            throw Rejection(.unknownAgent, "There is no such person. Choose someone from the list.")
        }
        guard !context.readOnly.contains(agent) else {
            throw Rejection(.mayNotAnswer, "\(name)’s profile doesn’t let them answer. Choose someone else.")
        }
    }

    private func takenOver() throws(Rejection) -> [Fact] {
        guard state.status != .closed else { throw alreadyClosed }
        let (number, joining) = state.joining(actor)
        guard state.status != .open || state.assignee != number else {
            throw Rejection(.alreadyTaken, "You already have this conversation.")
        }
        return joining + [Fact(number, .assigned(.init(to: number)))]
    }

    private func joined() throws(Rejection) -> [Fact] {
        guard state.status != .closed else { throw alreadyClosed }
        let known = state.participant(actor)
        if let known, known == state.assignee || state.routing.here.contains(known) {
            throw Rejection(.alreadyTaken, "You have already joined this conversation.")
        }
        guard case .agent(let id, let name, let role, _) = actor else { throw .notFound }
        let number = known ?? state.joining(actor).0
        return [Fact(number, .joined(.init(role: role, name: name, id: id)))]
    }

    private func left() throws(Rejection) -> [Fact] {
        guard let number = state.participant(actor), state.routing.here.contains(number), number != state.assignee
        else {
            throw Rejection(.notAssigned, "You did not join this conversation.")
        }
        return [Fact(number, .left)]
    }

    private var alreadyClosed: Rejection { Rejection(.alreadyClosed, "This conversation is closed.") }
}
