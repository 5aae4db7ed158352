import EarshotCore
import EarshotDomain
import EarshotModel
import NIOCore

/// The conversations that one connection follows, and the commands that it sends to them.
final class ConversationFeed {
    private unowned let connection: SocketConnection
    private let loop: SocketLoop
    private let mailbox: LoopMailbox
    private var subscriptions: [Subscription] = []
    /// The last conversation that an agent used without following it.
    private var lastOpened: OpenConversation?

    init(_ connection: SocketConnection, loop: SocketLoop, mailbox: LoopMailbox) {
        self.connection = connection
        self.loop = loop
        self.mailbox = mailbox
    }

    /// The number of conversations followed.
    var count: Int { subscriptions.count }

    // MARK: - Following

    func subscribe(_ conversation: ConversationID) -> Subscription {
        let subscription = Subscription(conversation, connection)
        subscriptions.append(subscription)
        loop.add(subscription)
        return subscription
    }

    func unsubscribe(_ conversation: ConversationID) {
        guard let index = subscriptions.firstIndex(where: { $0.id == conversation }) else { return }
        let subscription = subscriptions.remove(at: index)
        subscription.end()
        loop.remove(subscription)
    }

    /// Stops following a conversation that is no longer one of those that the caller sees.
    func lose(_ conversation: ConversationID) {
        unsubscribe(conversation)
        connection.refuse(FrameRefusal(.notFound, conversation: conversation))
    }

    /// Ends all subscriptions, because the connection ends.
    func unsubscribeAll() {
        for subscription in subscriptions {
            subscription.end()
            loop.remove(subscription)
        }
        subscriptions = []
        lastOpened = nil
    }

    /// Delivers what is new in every conversation.
    func deliverAll() {
        for subscription in subscriptions { subscription.deliver() }
    }

    private func subscription(_ id: ConversationID) -> Subscription? {
        subscriptions.first { $0.id == id }
    }

    // MARK: - Access

    /// The conversation where its access was checked already: one that is followed, or the one that was used last. For
    /// a caller who does not see everything, only where memory shows that it is still in scope.
    func opened(_ id: ConversationID) -> OpenConversation? {
        let subscription = subscription(id)
        let known = subscription?.conversation ?? (lastOpened?.id == id ? lastOpened : nil)
        guard let known, !known.isAlwaysInScope else { return known }
        guard let position = subscription?.position,
            let tail = connection.services.store.tail(id, after: position), known.isInScope(tail.state)
        else { return nil }
        return known
    }

    /// Remembers a conversation whose access was checked.
    func remember(_ conversation: OpenConversation) { lastOpened = conversation }

    // MARK: - Commands

    /// Sends a command to the writer; its answer is written in order with the events of the conversation.
    /// - Parameters:
    ///   - isMessage: the client shows it itself, so it is not delivered to it as an event.
    ///   - named: the conversation that the frame named; a refusal names it too.
    func perform(
        _ command: Command, key: IdempotencyKey, in conversation: OpenConversation, isMessage: Bool,
        named: ConversationID?
    ) {
        let subscription = subscription(conversation.id)
        subscription?.commandStarted()
        connection.commandStarted()
        let pending = NIOLoopBound(
            PendingCommand(
                connection: connection, subscription: subscription, key: key, isMessage: isMessage,
                frameID: conversation.frameID, named: named), eventLoop: loop.eventLoop)
        let (mailbox, metrics, received) = (mailbox, loop.metrics, NIODeadline.now())
        connection.services.conversations.perform(command, key: key, in: conversation) { result in
            mailbox.post(
                .turn { _ in
                    pending.value.finish(result)
                    metrics.command.observe(nanoseconds: Int((NIODeadline.now() - received).nanoseconds))
                })
        }
    }

    /// Tells the others who follow the conversation that the caller types, or stopped.
    func sendTyping(_ isTyping: Bool, in id: ConversationID) {
        guard let subscription = subscription(id), let conversation = subscription.conversation,
            let position = subscription.position
        else { return }
        let state = connection.services.store.tail(id, after: position)?.state
        guard let by = state?.openParticipant(conversation.actor) else { return }
        connection.broadcast(
            Signal(conversation: id, what: .typing(by: by, isOff: !isTyping, author: conversation.caller.author)))
    }
}

/// A command in flight: who sent it, and where its answer goes. Keeps the connection alive until the answer is there.
private struct PendingCommand {
    let connection: SocketConnection
    let subscription: Subscription?
    let key: IdempotencyKey
    let isMessage: Bool
    let frameID: ConversationID?
    let named: ConversationID?

    func finish(_ result: Result<Accepted, ChangeFailure>) {
        connection.commandFinished {
            switch result {
            case .success(let accepted):
                if subscription?.commandAccepted(key, accepted, isMessage: isMessage) != true {
                    connection.answer(key, accepted.sequence, accepted.at, in: frameID)
                }
            case .failure(let failure):
                subscription?.commandRefused()
                connection.refuse(FrameRefusal(failure.rejection, key: key, conversation: named))
            }
            subscription?.deliver()
        }
    }
}

extension ChangeFailure {
    /// What the caller may know of the failure.
    var rejection: Rejection {
        switch self {
        case .refused(let rejection): rejection
        case .failed(let failure): failure.rejection
        }
    }

    static func rejection(of error: any Error) -> Rejection {
        switch error {
        case let rejection as Rejection: rejection
        case let failure as AdapterFailure: failure.rejection
        default: .unavailable
        }
    }
}
