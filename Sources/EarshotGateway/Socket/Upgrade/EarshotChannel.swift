import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1

/// A connection of ours: HTTP/1.1, whose first request may make it a socket (`GET /v1/socket`). What stays HTTP goes on to Hummingbird.
///
/// Later requests for `/v1/socket` on the same connection reach the routes, which have none of that name. Wrap it in Hummingbird's `TLSChannel` for TLS.
struct EarshotChannel: ServerChildChannel {
    struct Value: ServerChildChannelValue {
        let channel: any Channel
        /// `nil` once it is a socket: then nothing waits for it, and no task exists for it.
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

    /// Small at first: most sockets say little. They grow where much is said (uploads).
    private static let receiveBuffers = AdaptiveRecvByteBufferAllocator(minimum: 256, initial: 512, maximum: 65_536)
}

/// Who may become a socket, and where sockets live.
struct SocketEntrance: Sendable {
    let hub: SocketHub
    let answers: RefusalAnswers
    /// - Throws: why a request with this head, from this address, gets no socket.
    let admit:
        @Sendable (_ head: HTTPRequestHead, _ request: UpgradeRequest, _ address: String?) throws(UpgradeRequest
            .Refusal) -> Void
}
