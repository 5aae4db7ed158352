import EarshotCore
import EarshotModel

/// A socket's hold on one conversation, in its event loop's registry.
final class Subscription {
    let id: ConversationID
    private(set) unowned var socket: SocketHandler
    /// `nil` until the snapshot is there; what rings before is remembered.
    var follow: Follow?
    private var hasRung = false
    /// Whether the log is being read for it.
    var isReading = false

    init(_ id: ConversationID, _ socket: SocketHandler) {
        self.id = id
        self.socket = socket
    }

    func begin(_ follow: Follow, isBehind: Bool) {
        self.follow = follow
        if isBehind { hasRung = true }
        ringAgain()
    }

    func rang() {
        guard follow != nil, !isReading else { return hasRung = true }
        follow?.rang()
        socket.pump(self)
    }

    /// What rang while the log was read may not have been in it.
    func ringAgain() {
        guard hasRung else { return }
        hasRung = false
        follow?.rang()
        socket.pump(self)
    }

    func hear(_ signal: Signal) {
        guard let follow, follow.conversation.caller.author != signal.author else { return }
        socket.say(signal)
    }
}
