public import EarshotModel

/// An event that is about to be written: who did what. The log gives it its number and its time.
public struct Fact: Hashable, Sendable {
    /// Who did it.
    public let by: ParticipantNumber
    /// What was done.
    public let kind: Event.Kind

    /// Makes the fact.
    public init(_ by: ParticipantNumber, _ kind: Event.Kind) {
        self.by = by
        self.kind = kind
    }
}

extension ConversationState {
    /// Decides a command: the facts that follow from it, or why it is refused. Pure: no clock, no store.
    ///
    /// The last fact is the one that the command is about; the sender gets its number as the answer.
    public func decide(_ command: Command, by actor: Actor, in context: Context) throws(Rejection) -> [Fact] {
        switch (command, actor) {
        case (.send(let message), .consumer): try consumerSays(message)
        case (.send(let message), .agent): try agentSays(message, actor)
        case (.take, .agent): try taken(by: actor, context)
        case (.close, .consumer): try closedByConsumer()
        case (.close, .agent): try closed(by: actor, quietly: false, context)
        case (.closeQuietly, .agent): try closed(by: actor, quietly: true, context)
        case (.rate(let rate), .consumer): try rated(rate, context)
        case (.rate, .agent): throw Rejection(.forbidden, "Only the consumer can answer the survey.")
        case (_, .agent): try asked(command, by: actor, context)
        case (_, .consumer): throw Rejection(.forbidden, "Only the brand's people can do this.")
        }
    }

    private func consumerSays(_ message: Command.Message) throws(Rejection) -> [Fact] {
        let said = Fact(.consumer, try checked(message))
        switch status {
        case .new:
            return [Fact(.consumer, .started(.init(channel: identity.channel, app: identity.app))), said]
        case .closed: return [Fact(.consumer, .resumed), said]
        case .waiting, .open: return [said]
        }
    }

    /// An agent who writes to a waiting or closed conversation takes it. A manager who joined may write in addition to
    /// the agent.
    private func agentSays(_ message: Command.Message, _ actor: Actor) throws(Rejection) -> [Fact] {
        let kind = try checked(message)
        switch status {
        case .new: throw .notFound
        case .open:
            guard let number = participant(actor), number == assignee || routing.here.contains(number) else {
                throw notAssigned
            }
            return [Fact(number, kind)]
        case .waiting, .closed:
            if status == .waiting { try checkOffer(actor) }
            let (number, joining) = joining(actor)
            let resuming = status == .closed ? [Fact(number, .resumed)] : []
            return joining + resuming + [Fact(number, .assigned(.init(to: number))), Fact(number, kind)]
        }
    }

    private func taken(by actor: Actor, _ context: Context) throws(Rejection) -> [Fact] {
        switch status {
        case .new: throw .notFound
        case .closed:
            throw Rejection(.alreadyClosed, "This conversation is closed. Write to the consumer to open it again.")
        case .open:
            throw Rejection(
                .alreadyTaken, "\(assignee.flatMap(person)?.name ?? "Another agent") already answers this conversation."
            )
        case .waiting:
            try checkOffer(actor)
            if case .agent(let id, _, _) = actor, context.isFull, routing.offer?.to.contains(id) == true {
                throw Rejection(.overCapacity, "You're at capacity. Close or snooze a conversation first.")
            }
            let (number, joining) = joining(actor)
            return joining + [Fact(number, .assigned(.init(to: number)))]
        }
    }

    /// While it is offered or reserved, only these agents may take it; a manager always may.
    private func checkOffer(_ actor: Actor) throws(Rejection) {
        guard case .agent(let id, _, .agent) = actor else { return }
        if let reserved = routing.reserved, reserved.agent != id {
            throw Rejection(.offerGone, "This conversation is reserved for another agent.")
        }
        if let offer = routing.offer, !offer.to.contains(id) {
            throw Rejection(.offerGone, "This conversation is offered to another agent right now.")
        }
    }

    private func closedByConsumer() throws(Rejection) -> [Fact] {
        switch status {
        case .new: throw .notFound
        case .closed: throw Rejection(.alreadyClosed, "This conversation is closed already.")
        case .waiting, .open: return [Fact(.consumer, .closed(.init(why: .consumer)))]
        }
    }

    private func closed(by actor: Actor, quietly: Bool, _ context: Context) throws(Rejection) -> [Fact] {
        guard case .agent(_, _, let role) = actor else { throw .notFound }
        switch status {
        case .new: throw .notFound
        case .closed: throw Rejection(.alreadyClosed, "This conversation is closed already.")
        case .waiting, .open:
            let (number, joining) = joining(actor)
            guard role == .manager || number == assignee else { throw notAssigned }
            if routing.disposition == nil, routing.skill.flatMap(context.centre.skill)?.disposition == .required {
                throw Rejection(.dispositionRequired, "Choose a disposition before you close this conversation.")
            }
            return joining + [Fact(number, .closed(.init(quiet: quietly)))]
        }
    }

    private func rated(_ rate: Command.Rate, _ context: Context) throws(Rejection) -> [Fact] {
        guard let survey = routing.survey, status == .closed, context.now < survey.until else {
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
            Fact(.consumer, .rated(.init(csat: rate.csat, nps: rate.nps, text: rate.text, audio: context.audio)))
        ]
    }

    /// The participant number of this actor, with the facts that make them a participant. `quietly`: the consumer does
    /// not learn of them unless they already did.
    func joining(_ actor: Actor, quietly: Bool = false) -> (ParticipantNumber, [Fact]) {
        guard case .agent(let id, let name, let role) = actor else { preconditionFailure("only agents join") }
        let known = participant(id)
        if let known, quietly || person(known)?.quiet != true { return (known, []) }
        let number = known ?? ParticipantNumber(ParticipantNumber.firstAgent.rawValue + people.count)
        return (number, [Fact(number, .joined(.init(role: role, name: name, id: id, quiet: quietly)))])
    }

    private func checked(_ message: Command.Message) throws(Rejection) -> Event.Kind {
        switch message {
        case .audio(let audio): return .audio(audio)
        case .text(let text):
            let limit = ChannelCapabilities.of(identity.channel).textLimit
            guard text.isWithin(scalars: limit) else {
                throw Rejection(.textTooLong, "A message here has at most \(limit) characters.", limit: limit)
            }
            guard text.unicodeScalars.contains(where: { !$0.properties.isWhitespace }) else {
                throw Rejection(.textEmpty, "This message is empty.")
            }
            return .text(text)
        }
    }

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
