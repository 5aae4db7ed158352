import EarshotModel
import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTP1

@testable import EarshotGateway

/// A connection without a network: the guard between a test and what would be Hummingbird.
final class Line {
    private let channel: EmbeddedChannel
    private let ear = Ear()
    private let gate = Gate()

    init() throws {
        let router = GatewayRouter([
            Route(.get, "/v1/ready", .anyone { _ in .nothing }),
            Route(.post, "/v1/login", body: .json([]), .anyone { _ in .nothing }),
            Route(.patch, "/v1/uploads/{upload}", body: .bytes(limit: 1_048_576), .anyone { _ in .nothing }),
        ])
        let answers = RefusalAnswers(headers: SecurityHeaders(isSecure: false), requestID: { "id" })
        let guardian = ConnectionGuard(deadlines: ConnectionDeadlines(), answers: answers) { router.limits($0) }
        channel = EmbeddedChannel(handlers: [gate, guardian, ear])
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    }

    var isOpen: Bool { channel.isActive }
    /// Whether the handler still gets bytes when it reads.
    var reads: Bool {
        let before = gate.reads
        channel.pipeline.read()
        return gate.reads > before
    }
    /// Body bytes that reached the handler.
    var passed: Int { ear.bodyBytes }
    var handlerWasTold: Bool { ear.wasCut }
    var statuses: [Int] { gate.heads.map { Int($0.status.code) } }
    var status: Int? { statuses.last }
    /// The socket takes nothing more.
    var isStuck: Bool {
        get { gate.isStuck }
        set { gate.isStuck = newValue }
    }

    func said(_ field: String) -> Bool {
        gate.heads.last?.headers.contains { "\($0.name.lowercased()): \($0.value)" == field } ?? false
    }

    func advance(_ time: TimeAmount) {
        (channel.eventLoop as? EmbeddedEventLoop)?.advanceTime(by: time)
    }

    /// A byte that makes no part of a request.
    func drip() {
        channel.pipeline.fireChannelReadComplete()
    }

    func begin(_ method: String, _ path: String, length: Int?, close: Bool = false) throws {
        var headers = HTTPHeaders([("host", "localhost")])
        if let length { headers.add(name: "content-length", value: "\(length)") }
        if close { headers.add(name: "connection", value: "close") }
        try channel.writeInbound(
            HTTPServerRequestPart.head(
                HTTPRequestHead(version: .http1_1, method: HTTPMethod(rawValue: method), uri: path, headers: headers)))
    }

    func send(_ count: Int) throws {
        // What a refused connection still brings is swallowed, as a socket that is no longer read would.
        _ = try? channel.writeInbound(HTTPServerRequestPart.body(ByteBuffer(repeating: 1, count: count)))
    }

    func end() throws {
        try channel.writeInbound(HTTPServerRequestPart.end(nil))
    }

    func ask(_ method: String, _ path: String, close: Bool = false) throws {
        try begin(method, path, length: nil, close: close)
        try end()
    }

    /// The handler answers.
    func answer() {
        channel.write(HTTPServerResponsePart.head(HTTPResponseHead(version: .http1_1, status: .ok)), promise: nil)
        channel.writeAndFlush(HTTPServerResponsePart.end(nil), promise: nil)
    }
}

/// Where Hummingbird would be.
private final class Ear: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart

    var bodyBytes = 0
    var wasCut = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .body(let bytes) = Self.unwrapInboundIn(data) { bodyBytes += bytes.readableBytes }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        wasCut = wasCut || error is RequestCut
    }
}

/// Where the network would be.
private final class Gate: ChannelOutboundHandler {
    typealias OutboundIn = HTTPServerResponsePart

    var heads: [HTTPResponseHead] = []
    var reads = 0
    var isStuck = false

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .head(let head) = Self.unwrapOutboundIn(data) { heads.append(head) }
        if !isStuck {
            promise?.succeed()
        } else {
            context.channel.closeFuture.whenComplete { _ in promise?.fail(ChannelError.eof) }
        }
    }

    func read(context: ChannelHandlerContext) {
        reads += 1
        context.read()
    }
}
