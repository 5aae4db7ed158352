import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1

/// An HTTP/1.1 connection whose first request may turn it into a socket (`GET /v1/socket`). A connection that stays
/// HTTP goes to Hummingbird.
///
/// Later requests for `/v1/socket` on the same connection reach the routes, where that path does not exist. Wrap it in
/// `TLSChannel` for TLS.
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
    /// Throws the reason why a request with this head, from this address, gets no socket.
    let admit:
        @Sendable (_ head: HTTPRequestHead, _ request: UpgradeRequest, _ address: String?) throws(UpgradeRequest
            .Refusal) -> Void
}
