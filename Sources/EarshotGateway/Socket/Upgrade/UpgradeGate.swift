import EarshotModel
import HummingbirdCore
import Logging
import NIOCore

/// Stands first in a new connection, until its first bytes tell what it is.
final class UpgradeGate: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let hub: SocketHub
    private let admits: EarshotChannel.AdmitOrigin
    private let makeHTTP: EarshotChannel.MakeHTTP
    private let logger: Logger
    private var promise: EventLoopPromise<EarshotChannel.HTTPConnection?>?
    private let deadline: NIODeadline
    private var alarm: Scheduled<Void>?
    private var input: ByteBuffer?

    init(
        hub: SocketHub, admits: @escaping EarshotChannel.AdmitOrigin, makeHTTP: @escaping EarshotChannel.MakeHTTP, logger: Logger,
        promise: EventLoopPromise<EarshotChannel.HTTPConnection?>
    ) {
        self.hub = hub
        self.admits = admits
        self.makeHTTP = makeHTTP
        self.logger = logger
        self.promise = promise
        deadline = .now() + .milliseconds(hub.limits.requestHeadMs)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        alarm = context.eventLoop.assumeIsolated().scheduleTask(deadline: deadline) { self.refuse(.late, context) }
    }

    func handlerRemoved(context: ChannelHandlerContext) { finish(nil) }

    func channelInactive(context: ChannelHandlerContext) {
        finish(nil)
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard promise != nil else { return }
        var bytes = unwrapInboundIn(data)
        if input == nil { input = bytes } else { input?.writeBuffer(&bytes) }
        decide(context)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case ChannelEvent.inputClosed, is ChannelShouldQuiesceEvent: context.close(promise: nil)
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    private func decide(_ context: ChannelHandlerContext) {
        guard let input else { return }
        switch Opening.of(input.readableBytesView) {
        case .undecided: break
        case .http: becomeHTTP(context)
        case .socket: becomeSocket(context)
        }
    }

    private func becomeHTTP(_ context: ChannelHandlerContext) {
        let (promise, setup) = (finishing(), makeHTTP(deadline))
        let future = setup.setup(channel: context.channel, logger: logger)
        promise?.completeWith(future.map { EarshotChannel.HTTPConnection(setup: setup, value: $0) })
        handOver(context)
    }

    private func becomeSocket(_ context: ChannelHandlerContext) {
        guard let bytes = input?.readableBytesView else { return }
        guard let end = bytes.firstRange(of: Self.emptyLine) else {
            if bytes.count > UpgradeRequest.maximumBytes { refuse(.tooLarge, context) }
            return
        }
        let head = bytes[..<end.lowerBound]
        guard head.count <= UpgradeRequest.maximumBytes else { return refuse(.tooLarge, context) }
        do throws(UpgradeRequest.Refusal) {
            let request = try UpgradeRequest(head: String(decoding: head, as: UTF8.self))
            if let origin = request.origin, !admits(origin, request.host) { throw .origin }
            input?.moveReaderIndex(to: end.upperBound)
            accept(request, context)
        } catch {
            refuse(error, context)
        }
    }

    private func accept(_ request: UpgradeRequest, _ context: ChannelHandlerContext) {
        finish(nil)
        context.writeAndFlush(wrapOutboundOut(context.channel.allocator.buffer(string: request.acceptance)), promise: nil)
        do {
            try context.pipeline.syncOperations.addHandler(SocketHandler(hub, on: context.eventLoop))
            handOver(context)
        } catch {
            context.close(promise: nil)
        }
    }

    private func refuse(_ refusal: UpgradeRequest.Refusal, _ context: ChannelHandlerContext) {
        finish(nil)
        input = nil
        let request = MediaID(random: (0..<IdentifierRules.randomBytes).map { _ in UInt8.random(in: 0...255) })
        let response = context.channel.allocator.buffer(string: refusal.response(request: request.rawValue))
        context.writeAndFlush(wrapOutboundOut(response)).assumeIsolated().whenComplete { _ in context.close(promise: nil) }
    }

    /// Gives what came to whoever stands behind, and goes.
    private func handOver(_ context: ChannelHandlerContext) {
        if let input, input.readableBytes > 0 {
            context.fireChannelRead(wrapInboundOut(input))
            context.fireChannelReadComplete()
        }
        input = nil
        context.pipeline.syncOperations.removeHandler(self, promise: nil)
    }

    private func finish(_ connection: EarshotChannel.HTTPConnection?) {
        finishing()?.succeed(connection)
    }

    private func finishing() -> EventLoopPromise<EarshotChannel.HTTPConnection?>? {
        alarm?.cancel()
        alarm = nil
        return promise.take()
    }

    private static let emptyLine = Array("\r\n\r\n".utf8)
}

/// What a connection's first bytes say.
enum Opening: Hashable {
    case socket
    case http
    case undecided

    private static let wanted = Array("GET \(UpgradeRequest.path)".utf8)

    static func of(_ bytes: some Collection<UInt8>) -> Opening {
        guard zip(bytes, wanted).allSatisfy({ $0 == $1 }) else { return .http }
        guard let next = bytes.dropFirst(wanted.count).first else { return .undecided }
        return next == UInt8(ascii: " ") || next == UInt8(ascii: "?") ? .socket : .http
    }
}
