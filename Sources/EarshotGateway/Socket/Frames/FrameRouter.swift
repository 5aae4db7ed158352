import EarshotCore
import EarshotDomain
import EarshotModel

/// Performs the frames that a session allows: finds the conversation and hands the frame to the handler of its family.
/// Made per frame, on the stack.
struct FrameRouter {
    private let connection: SocketConnection

    init(_ connection: SocketConnection) { self.connection = connection }

    /// - Parameter id: the conversation that the frame is about; `nil` for frames about none.
    func route(_ frame: ClientFrame, in id: ConversationID?) {
        switch frame {
        case .presence, .team, .wall: return StatusFrames(connection).perform(frame)
        case .renew(let token): return renew(token, frame)
        default: break
        }
        guard let id else { return connection.refuse(frame.refused(FrameRefusal.malformed)) }
        switch frame {
        case .hello, .renew, .presence, .team, .wall: connection.refuse(frame.refused(FrameRefusal.unknownKind))
        case .typing(let isTyping, _): connection.conversations.sendTyping(isTyping, in: id)
        case .watch(_, let after): WatchFrames(connection).watch(id, after: after)
        case .unwatch: connection.conversations.unsubscribe(id)
        case .send, .take, .close, .ask, .got, .read, .played, .page, .call, .signal, .check, .checked:
            open(id, for: frame)
        }
    }

    /// Checks the caller's access. A conversation that is followed was checked when it was opened.
    private func open(_ id: ConversationID, for frame: ClientFrame) {
        if let conversation = connection.conversations.opened(id) { return perform(frame, in: conversation) }
        guard let caller = connection.caller else { return }
        let access = connection.services.access
        connection.wait(for: frame) {
            try await access.open(id, as: caller)
        } then: { conversation in
            connection.conversations.remember(conversation)
            perform(frame, in: conversation)
        }
    }

    private func perform(_ frame: ClientFrame, in conversation: OpenConversation) {
        switch frame {
        case .send, .take, .close, .ask: CommandFrames(connection).perform(frame, in: conversation)
        case .got, .read, .played: WatermarkFrames(connection).perform(frame, in: conversation)
        case .call, .signal, .check, .checked: CallFrames(connection).perform(frame, in: conversation)
        case .page(_, let before, let limit):
            WatchFrames(connection).page(of: conversation, before: before, limit: limit, for: frame)
        case .hello, .renew, .presence, .team, .wall, .typing, .watch, .unwatch: break
        }
    }

    /// Lets the connection last as long as a newer token of its consumer.
    private func renew(_ token: String, _ frame: ClientFrame) {
        do throws(Rejection) {
            let renewed = try connection.services.identity.consumer(token: token)
            guard case .consumer(let consumer) = connection.caller, renewed.id == consumer.id,
                renewed.conversation == consumer.conversation
            else { throw Rejection.notSignedIn }
            connection.confirmOwner(until: renewed.expires)
        } catch {
            connection.refuse(frame.refused(error))
        }
    }
}
