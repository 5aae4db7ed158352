import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1

/// The handlers that every connection starts with, before it is known whether it becomes a WebSocket.
struct HTTPPipeline: Sendable {
    let makeGuard: @Sendable () -> ConnectionGuard

    /// Decoder, encoder and the guard, in this order from the network.
    func handlers() -> [any ChannelHandler & RemovableChannelHandler] {
        var encoding = HTTPResponseEncoder.Configuration()
        encoding.automaticallySetFramingHeaders = true
        return [
            HTTPResponseEncoder(configuration: encoding),
            ByteToMessageHandler(
                HTTPRequestDecoder(
                    leftOverBytesStrategy: .forwardBytes, informationalResponseStrategy: .drop,
                    limitConfiguration: HTTPHeaderLimits.decoder)),
            makeGuard(),
        ]
    }
}

/// A connection that speaks HTTP/1.1 and nothing else.
struct HTTPChannel: HTTPChannelHandler {
    typealias Value = NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>

    let pipeline: HTTPPipeline
    let responder: HTTPChannelHandler.Responder

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandlers(pipeline.handlers())
            return try complete(channel, logger: logger)
        }
    }

    /// Adds the handlers of a connection that stays HTTP after the first ones. Call it on the connection's event loop.
    func complete(_ channel: any Channel, logger: Logger) throws -> Value {
        try channel.pipeline.syncOperations.addHandler(HTTP1ToHTTPServerCodec(secure: false))
        try channel.pipeline.syncOperations.addHandler(HTTPConnectionStateHandler(logger: logger))
        return try NIOAsyncChannel(
            wrappingChannelSynchronously: channel, configuration: .init(isOutboundHalfClosureEnabled: true))
    }

    func handle(value: Value, logger: Logger) async {
        await handleHTTP(asyncChannel: value, logger: logger)
    }
}
