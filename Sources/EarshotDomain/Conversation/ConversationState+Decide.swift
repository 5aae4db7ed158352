public import EarshotModel

extension ConversationState {
    /// Decides a command: the facts that follow from it, or why it is refused. Pure: no clock, no store.
    ///
    /// The last fact is the one that the command is about; the sender gets its number as the answer.
    public func decide(_ command: Command, by actor: Actor, in context: Context) throws(Rejection) -> [Fact] {
        // A conversation that has not begun does not exist for the brand's people, whatever they may do.
        if case .agent = actor, status != .new, let permission = command.permission { try actor.require(permission) }
        let facts = try facts(for: command, by: actor, in: context)
        return CallDecision.endingCall(of: self, with: facts, at: context.now)
    }

    private func facts(for command: Command, by actor: Actor, in context: Context) throws(Rejection) -> [Fact] {
        switch (command, actor) {
        case (.send(let message), .consumer): try MessageDecision.facts(forConsumer: message, in: self, context)
        case (.send(let message), .agent): try MessageDecision.facts(for: message, by: actor, in: self, context)
        case (.close, .consumer): try AssignmentDecision(self, by: actor, in: context).closedByConsumer()
        case (.rate(let rate), .consumer): try AnnotationDecision(self, by: actor, in: context).facts(for: rate)
        case (.rate, .agent): throw Rejection(.forbidden, "Only the consumer can answer the survey.")
        case (.invite, _), (.answerCall, _), (.hangUp, _), (.requestCall, _):
            try CallDecision(self, by: actor, in: context).facts(for: command)
        case (_, .agent): try decideOther(command, by: actor, in: context)
        case (_, .consumer): throw Rejection(.forbidden, "Only the brand's people can do this.")
        }
    }

    /// Decides a command of the brand's people that is not a message.
    private func decideOther(_ command: Command, by actor: Actor, in context: Context) throws(Rejection) -> [Fact] {
        guard status != .new else { throw .notFound }
        switch command {
        case .take, .close, .closeQuietly, .reopen, .decline, .transfer, .takeOver, .join, .leave:
            return try AssignmentDecision(self, by: actor, in: context).facts(for: command)
        case .note, .callback, .tags, .attribute, .dispose, .urgent, .settle, .noticed:
            return try AnnotationDecision(self, by: actor, in: context).facts(for: command)
        case .send, .rate, .invite, .answerCall, .hangUp, .requestCall: throw FrameRefusal.malformed
        }
    }
}

/// What several decisions share.
extension ConversationState {
    /// While it is offered or reserved, only these agents may take it, and people who may take over.
    func checkOffer(_ actor: Actor) throws(Rejection) {
        guard let id = actor.agent, !actor.may(.takeOverConversations) else { return }
        if let reserved = routing.reserved, reserved.agent != id {
            throw Rejection(.offerGone, "This conversation is reserved for another agent.")
        }
        if let offer = routing.offer, !offer.to.contains(id) {
            throw Rejection(.offerGone, "This conversation is offered to another agent right now.")
        }
    }

    /// The participant number of this actor, with the facts that make them a participant. `quietly`: the consumer does
    /// not learn of them unless they already did.
    func joining(_ actor: Actor, quietly: Bool = false) -> (ParticipantNumber, [Fact]) {
        guard case .agent(let id, let name, let role, _) = actor else { preconditionFailure("only agents join") }
        let known = participant(id)
        if let known, quietly || person(known)?.quiet != true { return (known, []) }
        let number = known ?? ParticipantNumber(ParticipantNumber.firstAgent.rawValue + people.count)
        return (number, [Fact(number, .joined(.init(role: role, name: name, id: id, quiet: quietly)))])
    }

    /// The fact, by an agent whom the consumer does not notice because of it.
    func quietly(_ actor: Actor, _ kind: Event.Kind) -> [Fact] {
        let (number, joining) = joining(actor, quietly: true)
        return joining + [Fact(number, kind)]
    }

    /// The refusal of a command that only the assignee may give.
    var notAssigned: Rejection {
        let name = assignee.flatMap(person)?.name
        return Rejection(
            .notAssigned, name.map { "\($0) answers this conversation." } ?? "Take this conversation first.")
    }
}

extension String {
    /// Whether it has at most this many Unicode scalars. Counts only where the number of bytes does not decide it.
    func isWithin(scalars limit: Int) -> Bool {
        utf8.count <= limit || unicodeScalars.count <= limit
    }
}
