import NIOCore
import Synchronization

/// The connections that are open, so that a shutdown can end them.
final class OpenConnections: Sendable {
    private let channels = Mutex<[ObjectIdentifier: any Channel]>([:])

    /// Adds a connection; it removes itself when it ends.
    func add(_ channel: any Channel) {
        let id = ObjectIdentifier(channel)
        channels.withLock { $0[id] = channel }
        channel.closeFuture.whenComplete { _ in self.channels.withLock { $0[id] = nil } }
    }

    /// Asks every connection to end once its answers are written.
    /// - Returns: when all of them have ended.
    func quiesce(on eventLoop: any EventLoop) -> EventLoopFuture<Void> {
        let open = all
        for channel in open { channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent()) }
        return EventLoopFuture.andAllComplete(open.map(\.closeFuture), on: eventLoop)
    }

    /// Ends every connection now.
    func closeAll() {
        for channel in all { channel.close(promise: nil) }
    }

    private var all: [any Channel] { channels.withLock { Array($0.values) } }
}
