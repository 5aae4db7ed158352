import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1

/// Waits behind the HTTP handlers of a connection for a request for a socket. Other requests go to Hummingbird, whose
/// handlers are added for the first of them.
///
/// When a connection that Hummingbird has used becomes a socket, Hummingbird's handlers stay where they are, above the
/// socket's: they cannot be removed while their task still awaits the end of the connection. From then on this gate
/// keeps what they write from the socket.
final class UpgradeGate: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private enum State {
        /// No request has arrived, so Hummingbird's handlers are missing.
        case opening
        /// Hummingbird answers.
        case http
        /// A valid request for a socket arrived. It waits for its end, and for the answers to earlier requests.
        case requested(UpgradeRequest, SocketPeer, isComplete: Bool)
        /// A request for a socket is refused once earlier requests are answered.
        case refusing(UpgradeRequest.Refusal)
        case refused
        /// The connection is a socket, and Hummingbird's handlers are above it.
        case detached
    }

    private let http: HTTPChannel
    private var handlers: [any ChannelHandler & RemovableChannelHandler]
    private let sockets: SocketEntrance
    private let logger: Logger
    private var promise: EventLoopPromise<HTTPChannel.Value?>?
    private var state = State.opening
    /// Hummingbird's handlers were added.
    private var hasHTTP = false
    /// Requests that Hummingbird has not answered yet.
    private var unanswered = 0

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

    func handlerRemoved(context: ChannelHandlerContext) { needsNoTask() }

    func channelInactive(context: ChannelHandlerContext) {
        needsNoTask()
        context.fireChannelInactive()
    }

    // MARK: - Requests

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch state {
        case .opening, .http: receive(Self.unwrapInboundIn(data), context)
        case .requested(let request, let peer, _):
            // The guard refuses bodies, so the next part is the end of the request.
            guard case .end = Self.unwrapInboundIn(data) else { return }
            state = .requested(request, peer, isComplete: true)
            decideWhenAnswered(context)
        case .refusing, .refused, .detached: break
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        // The socket's handler decides whether to read on; Hummingbird's would hold it up.
        if case .detached = state { return context.read() }
        context.fireChannelReadComplete()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch (state, event) {
        case (.http, _), (.detached, _): context.fireUserInboundEventTriggered(event)
        case (_, ChannelEvent.inputClosed), (_, is ChannelShouldQuiesceEvent): context.close(promise: nil)
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // The guard answers what the parser refuses, and closes.
        if hasHTTP { context.fireErrorCaught(error) }
    }

    private func receive(_ part: HTTPServerRequestPart, _ context: ChannelHandlerContext) {
        guard case .head(let head) = part, UpgradeRequest.isFor(head) else { return pass(part, context) }
        do throws(UpgradeRequest.Refusal) {
            let request = try UpgradeRequest(head)
            state = .requested(request, try sockets.admit(head, request, context.channel), isComplete: false)
        } catch {
            state = .refusing(error)
            decideWhenAnswered(context)
        }
    }

    private func pass(_ part: HTTPServerRequestPart, _ context: ChannelHandlerContext) {
        if case .head = part { unanswered += 1 }
        if case .opening = state {
            guard addHTTP(context) else { return }
        }
        context.fireChannelRead(wrapInboundOut(part))
    }

    private func addHTTP(_ context: ChannelHandlerContext) -> Bool {
        do {
            let value = try http.complete(context.channel, logger: logger)
            (state, hasHTTP) = (.http, true)
            promise.take()?.succeed(value)
            return true
        } catch {
            context.close(promise: nil)
            return false
        }
    }

    // MARK: - Answers

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .detached = state { return promise?.fail(ChannelError.outputClosed) ?? () }
        let isEnd = if case .end = Self.unwrapOutboundIn(data) { true } else { false }
        context.write(data, promise: promise)
        guard isEnd else { return }
        unanswered -= 1
        decideWhenAnswered(context)
    }

    func flush(context: ChannelHandlerContext) {
        if case .detached = state { return }
        context.flush()
    }

    func read(context: ChannelHandlerContext) {
        if case .detached = state { return }
        context.read()
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        // Hummingbird closes its output when its requests end. The socket goes on.
        if case .detached = state, mode != .all { return promise?.succeed() ?? () }
        context.close(mode: mode, promise: promise)
    }

    // MARK: - Sockets

    /// Answers a request for a socket after all earlier requests.
    private func decideWhenAnswered(_ context: ChannelHandlerContext) {
        guard unanswered == 0 else { return }
        switch state {
        case .requested(let request, let peer, isComplete: true):
            context.flush()
            becomeSocket(request, peer, context)
        case .refusing(let refusal): refuse(refusal, context)
        default: break
        }
    }

    /// Replaces the HTTP handlers by a `SocketConnection`. The decoder goes last and passes on its remaining bytes,
    /// which belong to the socket.
    private func becomeSocket(_ request: UpgradeRequest, _ peer: SocketPeer, _ context: ChannelHandlerContext) {
        state = .detached
        needsNoTask()
        let (pipeline, removed) = (context.pipeline.syncOperations, handlers)
        handlers = []
        do {
            try pipeline.addHandler(
                SocketConnection(sockets.hub, on: context.eventLoop, from: peer),
                position: .before(self))
            let isDecoder = { (handler: any ChannelHandler) in handler is ByteToMessageHandler<HTTPRequestDecoder> }
            for handler in removed where !isDecoder(handler) { pipeline.removeHandler(handler, promise: nil) }
            let acceptance = context.channel.allocator.buffer(string: request.acceptance)
            try pipeline.context(handlerType: SocketConnection.self).writeAndFlush(NIOAny(acceptance), promise: nil)
            for handler in removed where isDecoder(handler) {
                pipeline.removeHandler(handler).assumeIsolated().whenComplete { _ in self.detach(context) }
            }
        } catch {
            context.close(promise: nil)
        }
    }

    /// Ends Hummingbird's part of the connection, or removes this gate where there is none.
    private func detach(_ context: ChannelHandlerContext) {
        guard hasHTTP else { return context.pipeline.syncOperations.removeHandler(self, promise: nil) }
        context.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        context.read()
    }

    private func refuse(_ refusal: UpgradeRequest.Refusal, _ context: ChannelHandlerContext) {
        state = .refused
        needsNoTask()
        var (head, body) = sockets.answers.make(refusal.rejection)
        head.status = refusal.status
        for (name, value) in refusal.fields { head.headers.replaceOrAdd(name: name, value: value) }
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: body)))), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil))).assumeIsolated().whenComplete { _ in
            context.close(promise: nil)
        }
    }

    private func needsNoTask() {
        promise.take()?.succeed(nil)
    }
}
