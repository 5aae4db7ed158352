import EarshotCore
import EarshotModel
import NIOCore

/// Commands and their answers.
extension SocketHandler {
    /// Who asked, for whom: kept by the answer until it comes.
    private struct Asked {
        let handler: SocketHandler
        let subscription: Subscription?
    }

    /// Asks the writer.
    func command(_ command: Command, _ key: IdempotencyKey, in conversation: OpenConversation, isWord: Bool) {
        let subscription = subscriptions.first { $0.id == conversation.id }
        subscription?.follow?.asked()
        commandsInFlight += 1
        let asked = NIOLoopBound(Asked(handler: self, subscription: subscription), eventLoop: loop.eventLoop)
        let (mailbox, id) = (mailbox, conversation.frameID)
        services.conversations.perform(command, key: key, in: conversation) { result in
            mailbox.post(
                .turn { _ in
                    let asked = asked.value
                    asked.handler.answered(key, id, result, isWord: isWord, asked.subscription)
                })
        }
    }

    private func answered(
        _ key: IdempotencyKey, _ conversation: ConversationID?, _ result: Result<Accepted, ChangeFailure>, isWord: Bool,
        _ subscription: Subscription?
    ) {
        commandsInFlight -= 1
        switch result {
        case .success(let accepted):
            if subscription?.follow == nil {
                writeOK(key, accepted.sequence, accepted.at, conversation)
            } else {
                subscription?.follow?.answered(key, accepted, isWord: isWord)
            }
        case .failure(let failure):
            subscription?.follow?.refused()
            refuse(FrameRefusal(failure.rejection, key: key, conversation: conversation))
        }
        if let subscription { pump(subscription) }
        if commandsInFlight == limits.commandsInFlight - 1 || commandsInFlight == 0 { goOn() }
    }

    func writeOK(_ key: IdempotencyKey, _ sequence: Int, _ at: Timestamp, _ conversation: ConversationID?) {
        guard !session.isEnded else { return }
        loop.writer.clear()
        loop.writer.ok(.init(key: key, sequence: sequence, at: at, conversation: conversation))
        writeFrame()
    }

    /// Refuses a frame: to its key where it has one, else as a problem.
    func refuse(_ refusal: FrameRefusal) {
        guard !session.isEnded else { return }
        let rejection = refusal.rejection
        loop.writer.clear()
        if let key = refusal.key {
            loop.writer.no(
                .init(
                    key: key, code: rejection.code.rawValue, text: rejection.text, conversation: refusal.conversation,
                    limit: rejection.limit,
                    after: rejection.retryAfter.map { $0 * 1000 }))
        } else {
            loop.writer.problem(
                .init(code: rejection.code.rawValue, text: rejection.text, conversation: refusal.conversation))
        }
        writeFrame()
    }

    /// Does something that waits; until it is there, nothing more of this socket is worked on.
    func wait<Value: Sendable>(
        for frame: ClientFrame? = nil, _ work: @escaping @Sendable () async throws -> Value,
        then: @escaping (SocketHandler, Value) -> Void, failed: ((SocketHandler) -> Void)? = nil
    ) {
        isBusy = true
        loop.load(work) { result in
            self.isBusy = false
            guard !self.session.isEnded else { return }
            switch result {
            case .success(let value): then(self, value)
            case .failure(let error):
                failed?(self)
                self.fail(frame, ChangeFailure.rejection(of: error))
            }
            self.goOn()
        }
    }

    /// A look-up failed: before the snapshot there is nothing to go on with.
    private func fail(_ frame: ClientFrame?, _ rejection: Rejection) {
        if let frame { refuse(frame.refused(rejection)) } else { end(.of(rejection), rejection) }
    }
}

extension ChangeFailure {
    /// What the asker may know of it.
    var rejection: Rejection {
        switch self {
        case .refused(let rejection): rejection
        case .failed: .unavailable
        }
    }

    static func rejection(of error: any Error) -> Rejection {
        error as? Rejection ?? .unavailable
    }
}
