import EarshotModel

/// Decides messages. Most commands are messages, so the state is an argument and is never copied.
enum MessageDecision {
    /// The facts that follow from a message of the consumer.
    static func facts(forConsumer message: Command.Message, in state: ConversationState, _ context: Context)
        throws(Rejection) -> [Fact]
    {
        let said = Fact(.consumer, try content(of: message, by: .consumer, in: state, context))
        switch state.status {
        case .new:
            return [Fact(.consumer, .started(.init(channel: state.identity.channel, app: state.identity.app))), said]
        case .closed where state.takesAfterword(at: context.now): return [said]
        case .closed: return [Fact(.consumer, .resumed), said]
        case .waiting, .open: return [said]
        }
    }

    /// The facts that follow from a message of one of the brand's people.
    ///
    /// An agent who writes to a waiting or closed conversation takes it. A manager who joined may write in addition to
    /// the agent.
    static func facts(
        for message: Command.Message, by actor: Actor, in state: ConversationState, _ context: Context
    ) throws(Rejection) -> [Fact] {
        let kind = try content(of: message, by: state.participant(actor), in: state, context)
        switch state.status {
        case .new: throw .notFound
        case .open:
            guard let number = state.participant(actor), number == state.assignee || state.routing.here.contains(number)
            else {
                throw state.notAssigned
            }
            return [Fact(number, kind)]
        case .waiting, .closed:
            if state.status == .waiting { try state.checkOffer(actor) }
            let (number, joining) = state.joining(actor)
            let resuming = state.status == .closed ? [Fact(number, .resumed)] : []
            return joining + resuming + [Fact(number, .assigned(.init(to: number))), Fact(number, kind)]
        }
    }

    /// The content of the message as it is stored, within the limits of the channel.
    private static func content(
        of message: Command.Message, by author: ParticipantNumber?, in state: ConversationState, _ context: Context
    ) throws(Rejection) -> Event.Kind {
        switch message {
        case .audio(let audio): return .audio(audio)
        case .text(let text):
            let limit = ChannelCapabilities.of(state.identity.channel).textLimit
            guard text.isWithin(scalars: limit) else {
                throw Rejection(.textTooLong, "A message here has at most \(limit) characters.", limit: limit)
            }
            guard text.unicodeScalars.contains(where: { !$0.properties.isWhitespace }) else {
                throw Rejection(.textEmpty, "This message is empty.")
            }
            let earlier = author.flatMap { state.routing.trailingDigits(of: $0)?.groups(at: context.now) }
            return .text(context.stored(text, after: earlier ?? []))
        }
    }
}
