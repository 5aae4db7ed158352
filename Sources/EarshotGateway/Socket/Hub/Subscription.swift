import EarshotCore
import EarshotDomain
import EarshotModel

/// A socket's hold on one conversation, in its event loop's registry.
final class Subscription {
    let id: ConversationID
    private(set) unowned var socket: SocketHandler
    /// `nil` until the snapshot is there; what notifications before is remembered.
    var follow: Follow?
    /// For whose eyes, and how frames name the conversation: known once it is followed.
    private(set) var viewer = Viewer.consumer
    private(set) var frameID: ConversationID?
    private var hasNotified = false
    /// Whether the log is being read for it.
    var isReading = false
    /// Whether what was played is being read for it.
    var isReadingPlayed = false

    init(_ id: ConversationID, _ socket: SocketHandler) {
        self.id = id
        self.socket = socket
    }

    func begin(_ follow: Follow, isBehind: Bool) {
        self.follow = follow
        viewer = follow.conversation.viewer
        frameID = follow.conversation.frameID
        if isBehind { hasNotified = true }
        ringAgain()
    }

    func rang() {
        guard let commands = follow?.inFlight, !isReading else {
            hasNotified = true
            return
        }
        follow?.rang()
        // Nothing is delivered beyond an answer that is on its way, and the answer looks again.
        if commands == 0 { socket.pump(self) }
    }

    /// What rang while the log was read may not have been in it.
    func ringAgain() {
        guard hasNotified else { return }
        hasNotified = false
        follow?.rang()
        socket.pump(self)
    }

    func hear(_ signal: Signal) {
        guard let follow, follow.conversation.caller.author != signal.author else { return }
        socket.say(signal, frameID)
    }
}
