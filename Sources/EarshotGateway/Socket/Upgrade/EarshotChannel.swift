import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1

/// An HTTP/1.1 connection that any of its requests may turn into a socket (`GET /v1/socket`). Until then its requests
/// go to Hummingbird.
///
/// A connection whose first request is for a socket never gets Hummingbird's handlers, and needs no task.
struct EarshotChannel: ServerChildChannel {
    struct Value: ServerChildChannelValue {
        let channel: any Channel
        /// `nil` for a socket: it needs no task.
        let http: EventLoopFuture<HTTPChannel.Value?>
    }

    let http: HTTPChannel
    let sockets: SocketEntrance

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            sockets.hub.metrics.count(channel)
            try channel.syncOptions?.setOption(ChannelOptions.recvAllocator, value: Self.receiveBuffers)
            let promise = channel.eventLoop.makePromise(of: HTTPChannel.Value?.self)
            let handlers = http.pipeline.handlers()
            try channel.pipeline.syncOperations.addHandlers(handlers)
            let gate = UpgradeGate(http: http, handlers: handlers, sockets: sockets, logger: logger, promise: promise)
            try channel.pipeline.syncOperations.addHandler(gate)
            return Value(channel: channel, http: promise.futureResult)
        }
    }

    func handle(value: Value, logger: Logger) async {
        guard let connection = try? await value.http.get() else { return }
        await http.handle(value: connection, logger: logger)
    }

    /// Small at first, because most sockets send little. They grow for uploads.
    private static let receiveBuffers = AdaptiveRecvByteBufferAllocator(minimum: 256, initial: 512, maximum: 65_536)
}

/// Decides which requests become sockets, and adds those to the hub.
struct SocketEntrance: Sendable {
    let hub: SocketHub
    let answers: RefusalAnswers
    /// Throws the reason why a request with this head, on this connection, gets no socket; otherwise returns its peer.
    let admit:
        @Sendable (_ head: HTTPRequestHead, _ request: UpgradeRequest, _ channel: any Channel) throws(UpgradeRequest
            .Refusal) -> SocketPeer
}

/// Where a socket comes from.
struct SocketPeer: Sendable {
    /// The client's network address, as rate limits count it.
    let address: String
    /// The origin of the page where it is another site's: the app of the consumer who signs in must allow it.
    let foreignOrigin: String?
}
