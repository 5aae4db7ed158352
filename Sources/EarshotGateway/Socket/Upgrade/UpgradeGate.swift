import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1

/// Waits after the HTTP decoder of a new connection until the first request tells whether it becomes a socket or stays
/// HTTP.
final class UpgradeGate: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private enum State {
        case opening
        /// A valid request for a socket arrived, but not its end yet.
        case requested(UpgradeRequest)
        /// What arrives is passed to the next handler.
        case passing
        case refused
    }

    private let http: HTTPChannel
    private var handlers: [any ChannelHandler & RemovableChannelHandler]
    private let sockets: SocketEntrance
    private let logger: Logger
    private var promise: EventLoopPromise<HTTPChannel.Value?>?
    private var state = State.opening

    init(
        http: HTTPChannel, handlers: [any ChannelHandler & RemovableChannelHandler], sockets: SocketEntrance,
        logger: Logger,
        promise: EventLoopPromise<HTTPChannel.Value?>
    ) {
        self.http = http
        self.handlers = handlers
        self.sockets = sockets
        self.logger = logger
        self.promise = promise
    }

    func handlerRemoved(context: ChannelHandlerContext) { finish() }

    func channelInactive(context: ChannelHandlerContext) {
        finish()
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch state {
        case .opening: open(unwrapInboundIn(data), context)
        case .requested(let request):
            // The guard refuses bodies, so the next part is the end of the request.
            if case .end = unwrapInboundIn(data) { becomeSocket(request, context) }
        case .passing: context.fireChannelRead(data)
        case .refused: break
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch (state, event) {
        case (.passing, _): context.fireUserInboundEventTriggered(event)
        case (_, ChannelEvent.inputClosed), (_, is ChannelShouldQuiesceEvent): context.close(promise: nil)
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // The guard answers what the parser refuses, and closes.
        if case .passing = state { context.fireErrorCaught(error) }
    }

    private func open(_ part: HTTPServerRequestPart, _ context: ChannelHandlerContext) {
        guard case .head(let head) = part, UpgradeRequest.isFor(head) else { return becomeHTTP(part, context) }
        do throws(UpgradeRequest.Refusal) {
            let request = try UpgradeRequest(head)
            try sockets.admit(head, request, context.remoteAddress?.ipAddress)
            state = .requested(request)
        } catch {
            refuse(error, context)
        }
    }

    private func becomeHTTP(_ first: HTTPServerRequestPart, _ context: ChannelHandlerContext) {
        state = .passing
        handlers = []
        do {
            let value = try http.complete(context.channel, logger: logger)
            promise.take()?.succeed(value)
            context.fireChannelRead(wrapInboundOut(first))
            context.pipeline.syncOperations.removeHandler(self, promise: nil)
        } catch {
            context.close(promise: nil)
        }
    }

    /// Replaces the HTTP handlers by a `SocketConnection`. The decoder goes last and passes on its remaining bytes,
    /// which belong to the socket.
    private func becomeSocket(_ request: UpgradeRequest, _ context: ChannelHandlerContext) {
        state = .passing
        finish()
        let (pipeline, removed) = (context.pipeline.syncOperations, handlers)
        handlers = []
        do {
            try pipeline.addHandler(SocketConnection(sockets.hub, on: context.eventLoop))
            let isDecoder = { (handler: any ChannelHandler) in handler is ByteToMessageHandler<HTTPRequestDecoder> }
            for handler in removed where !isDecoder(handler) { pipeline.removeHandler(handler, promise: nil) }
            context.writeAndFlush(NIOAny(context.channel.allocator.buffer(string: request.acceptance)), promise: nil)
            for handler in removed where isDecoder(handler) {
                pipeline.removeHandler(handler).assumeIsolated().whenComplete { _ in
                    pipeline.removeHandler(self, promise: nil)
                }
            }
        } catch {
            context.close(promise: nil)
        }
    }

    private func refuse(_ refusal: UpgradeRequest.Refusal, _ context: ChannelHandlerContext) {
        state = .refused
        finish()
        var (head, body) = sockets.answers.make(refusal.rejection)
        head.status = refusal.status
        for (name, value) in refusal.fields { head.headers.replaceOrAdd(name: name, value: value) }
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: body)))), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil))).assumeIsolated().whenComplete { _ in
            context.close(promise: nil)
        }
    }

    private func finish() {
        promise.take()?.succeed(nil)
    }
}
