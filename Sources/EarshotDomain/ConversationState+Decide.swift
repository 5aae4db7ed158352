public import EarshotModel

/// One fact about to be written: who, and what. The log gives it its number and its time.
public struct Fact: Hashable, Sendable {
    public let by: ParticipantNumber
    public let kind: Event.Kind

    public init(_ by: ParticipantNumber, _ kind: Event.Kind) {
        self.by = by
        self.kind = kind
    }
}

extension ConversationState {
    /// What happens if this actor asks this now, or why it may not. Pure: no clock, no store.
    ///
    /// The last fact is the one that the command was about; its number is the answer that the sender gets.
    public func decide(_ command: Command, by actor: Actor) throws(Rejection) -> [Fact] {
        switch (command, actor) {
        case (.send(let message), .consumer): try consumerSays(message)
        case (.send(let message), .agent): try agentSays(message, actor)
        case (.take, .agent): try taken(by: actor)
        case (.close, .agent): try closed(by: actor)
        case (.take, .consumer), (.close, .consumer):
            throw Rejection(.forbidden, "Only the brand's people can do this.")
        }
    }

    private func consumerSays(_ message: Command.Message) throws(Rejection) -> [Fact] {
        let said = Fact(.consumer, try checked(message))
        switch status {
        case .new: return [Fact(.consumer, .started(.init(channel: identity.channel, app: identity.app))), said]
        case .closed: return [Fact(.consumer, .resumed), said]
        case .waiting, .open: return [said]
        }
    }

    /// An agent's word to a waiting or closed conversation takes it: whoever answers is who answers.
    private func agentSays(_ message: Command.Message, _ actor: Actor) throws(Rejection) -> [Fact] {
        let kind = try checked(message)
        switch status {
        case .new: throw .notFound
        case .open:
            guard let number = participant(actor), number == assignee else { throw notAssigned }
            return [Fact(number, kind)]
        case .waiting, .closed:
            let (number, joining) = joining(actor)
            let resuming = status == .closed ? [Fact(number, .resumed)] : []
            return joining + resuming + [Fact(number, .assigned(.init(to: number))), Fact(number, kind)]
        }
    }

    private func taken(by actor: Actor) throws(Rejection) -> [Fact] {
        switch status {
        case .new: throw .notFound
        case .closed: throw Rejection(.alreadyClosed, "This conversation is closed. Write to the consumer to open it again.")
        case .open:
            throw Rejection(.alreadyTaken, "\(assignee.flatMap(person)?.name ?? "Somebody else") already answers this conversation.")
        case .waiting:
            let (number, joining) = joining(actor)
            return joining + [Fact(number, .assigned(.init(to: number)))]
        }
    }

    private func closed(by actor: Actor) throws(Rejection) -> [Fact] {
        guard case .agent(_, _, let role) = actor else { throw .notFound }
        switch status {
        case .new: throw .notFound
        case .closed: throw Rejection(.alreadyClosed, "This conversation is closed already.")
        case .waiting, .open:
            let (number, joining) = joining(actor)
            guard role == .manager || number == assignee else { throw notAssigned }
            return joining + [Fact(number, .closed)]
        }
    }

    private func joining(_ actor: Actor) -> (ParticipantNumber, [Fact]) {
        guard case .agent(let id, let name, let role) = actor else { preconditionFailure("only agents join") }
        if let number = participant(id) { return (number, []) }
        let number = ParticipantNumber(ParticipantNumber.firstAgent.rawValue + people.count)
        return (number, [Fact(number, .joined(.init(role: role, name: name, id: id)))])
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
                throw Rejection(.textEmpty, "There is nothing in this message.")
            }
            return .text(text)
        }
    }

    private var notAssigned: Rejection {
        let name = assignee.flatMap(person)?.name
        return Rejection(.notAssigned, name.map { "\($0) answers this conversation." } ?? "Take this conversation first.")
    }
}

extension String {
    /// Whether it has at most so many Unicode scalars. Counts no further than it must.
    func isWithin(scalars limit: Int) -> Bool {
        utf8.count <= limit || unicodeScalars.count <= limit
    }
}
