import EarshotCore
import EarshotModel

/// Performs the frames that change a conversation: `send`, `take`, `close` and `ask`.
struct CommandFrames {
    private let connection: SocketConnection

    init(_ connection: SocketConnection) { self.connection = connection }

    func perform(_ frame: ClientFrame, in conversation: OpenConversation) {
        switch frame {
        case .send(let send): self.send(send, in: conversation)
        case .take(let key, let named):
            perform(.take, key, in: conversation, named: named)
        case .close(let key, let named):
            perform(.close, key, in: conversation, named: named)
        case .ask(let key, let named, let ask):
            self.ask(ask, key, in: conversation, named: named)
        default: break
        }
    }

    private func send(_ send: ClientFrame.Send, in conversation: OpenConversation) {
        let service = connection.services.conversations
        if let read = send.read { service.mark(delivered: read, read: read, in: conversation) }
        switch send.body {
        case .text(let text):
            perform(.send(.text(text)), send.key, in: conversation, isMessage: true, named: send.conversation)
        case .audio(let media):
            connection.wait(for: .send(send)) {
                try await service.recording(media, in: conversation)
            } then: { recording in
                // A recording that waited for the scanner may differ from what its sender shows: then it is delivered
                // as any other event.
                perform(
                    .send(.audio(recording.message)), send.key, in: conversation, isMessage: !recording.hasWaited,
                    named: send.conversation)
            }
        }
    }

    /// Looks up the recording that the command carries, where it carries one.
    private func ask(_ ask: Command, _ key: IdempotencyKey, in conversation: OpenConversation, named: ConversationID?) {
        guard let media = ask.recording else { return perform(ask, key, in: conversation, named: named) }
        let service = connection.services.conversations
        connection.wait(for: .ask(key, named, ask)) {
            try await service.recording(media, in: conversation)
        } then: { _ in
            perform(ask, key, in: conversation, named: named)
        }
    }

    private func perform(
        _ command: Command, _ key: IdempotencyKey, in conversation: OpenConversation, isMessage: Bool = false,
        named: ConversationID?
    ) {
        connection.conversations.perform(command, key: key, in: conversation, isMessage: isMessage, named: named)
    }
}

/// Performs the frames that move watermarks: `got`, `read` and `played`.
struct WatermarkFrames {
    private let connection: SocketConnection

    init(_ connection: SocketConnection) { self.connection = connection }

    func perform(_ frame: ClientFrame, in conversation: OpenConversation) {
        let service = connection.services.conversations
        switch frame {
        case .got(let sequence, _): service.mark(delivered: sequence, read: 0, in: conversation)
        case .read(let sequence, _): service.mark(delivered: sequence, read: sequence, in: conversation)
        case .played(let played): service.played(played, in: conversation)
        default: break
        }
    }
}
