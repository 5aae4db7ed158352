import Foundation
import NIOCore
import NIOPosix
import NIOSSL

/// Sends one request to a server as a browser would, and reads the beginning of the answer. For the doctor only.
struct ProbeConnection: Sendable {
    /// How long a connection, and then an answer, may take.
    static let limit = TimeAmount.seconds(10)

    /// Where to connect, taken from a URL.
    struct Target: Sendable, Equatable {
        let isSecure: Bool
        let host: String
        let port: Int

        /// The `Host` header.
        let authority: String

        init?(_ url: String) {
            guard let parts = URLComponents(string: url), let host = parts.host, !host.isEmpty else { return nil }
            isSecure = parts.scheme == "https"
            self.host = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
            port = parts.port ?? (isSecure ? 443 : 80)
            authority = parts.port.map { "\(host):\($0)" } ?? host
        }
    }

    /// An answer.
    struct Reply: Sendable {
        /// The status; 0 if the answer is not HTTP.
        let status: Int
        /// The beginning of the body.
        let body: String
        /// When the certificate ends; `nil` without TLS.
        let certificateEnds: Date?
    }

    private let target: Target
    private let certificates: NIOSSLContext?

    /// - Parameter authority: a PEM file with a certificate authority that is trusted, too.
    /// - Throws: if the file cannot be read.
    init(_ target: Target, authority: String?, isVerified: Bool = true) throws {
        self.target = target
        guard target.isSecure else {
            certificates = nil
            return
        }
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.applicationProtocols = ["http/1.1"]
        if !isVerified { tls.certificateVerification = .none }
        if let authority { tls.additionalTrustRoots = [.file(authority)] }
        certificates = try NIOSSLContext(configuration: tls)
    }

    /// Sends a request and returns the answer, once its head and its declared body are there.
    func send(_ method: String, _ path: String, headers: [(String, String)] = [], body: [UInt8] = []) async throws
        -> Reply
    {
        var lines = ["\(method) \(path) HTTP/1.1", "Host: \(target.authority)"]
        lines += headers.map { "\($0.0): \($0.1)" }
        if !body.isEmpty { lines.append("Content-Length: \(body.count)") }
        let request = Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body
        let (tls, host) = (certificates, target.host)
        let loop = MultiThreadedEventLoopGroup.singleton.any()
        let answer = loop.makePromise(of: Reply.self)
        let connected = ClientBootstrap(group: loop).connectTimeout(Self.limit).channelInitializer { channel in
            channel.eventLoop.makeCompletedFuture {
                if let tls {
                    let name = NetworkName.isAddress(host) ? nil : host
                    try channel.pipeline.syncOperations.addHandler(
                        NIOSSLClientHandler(context: tls, serverHostname: name))
                }
                try channel.pipeline.syncOperations.addHandler(ProbeHandler(request: request, answer: answer))
            }
        }.connect(host: target.host, port: target.port)
        connected.whenFailure { answer.fail($0) }
        return try await answer.futureResult.get()
    }
}

/// Tells names from addresses: a certificate is asked for by name only.
private enum NetworkName {
    static func isAddress(_ text: String) -> Bool { (try? SocketAddress(ipAddress: text, port: 0)) != nil }
}

/// Sends the request when the connection is ready, and collects the answer.
private final class ProbeHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private static let mostBytes = 64 * 1024

    private let request: [UInt8]
    private let answer: EventLoopPromise<ProbeConnection.Reply>
    private var received: [UInt8] = []
    private var hasSent = false
    private var isAnswered = false

    init(request: [UInt8], answer: EventLoopPromise<ProbeConnection.Reply>) {
        self.request = request
        self.answer = answer
    }

    func channelActive(context: ChannelHandlerContext) {
        let channel = context.channel
        let answer = self.answer
        context.eventLoop.scheduleTask(in: ProbeConnection.limit) {
            answer.fail(ChannelError.connectTimeout(ProbeConnection.limit))
            channel.close(promise: nil)
        }
        // With TLS this is written once the handshake is done.
        context.writeAndFlush(NIOAny(context.channel.allocator.buffer(bytes: request)), promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        received.append(contentsOf: unwrapInboundIn(data).readableBytesView)
        if isComplete || received.count > Self.mostBytes { finish(context) }
    }

    func channelInactive(context: ChannelHandlerContext) {
        if received.isEmpty { answer.fail(ChannelError.eof) } else { finish(context) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // A server that has answered may close without the end of TLS.
        if received.isEmpty { answer.fail(error) }
        context.close(promise: nil)
    }

    private var isComplete: Bool {
        guard let end = headEnd else { return false }
        let head = String(decoding: received[..<end], as: UTF8.self).lowercased()
        if head.hasPrefix("http/1.1 101") { return true }
        let length = head.split(separator: "\r\n").first { $0.hasPrefix("content-length:") }
            .flatMap { Int($0.dropFirst("content-length:".count).drop { $0 == " " }) }
        if let length { return received.count >= end + 4 + length }
        return head.contains("transfer-encoding: chunked") && received.suffix(5).elementsEqual("0\r\n\r\n".utf8)
    }

    private var headEnd: Int? {
        guard received.count > 3 else { return nil }
        return (0...received.count - 4).first { received[$0..<$0 + 4].elementsEqual("\r\n\r\n".utf8) }
    }

    private func finish(_ context: ChannelHandlerContext) {
        guard !isAnswered else { return }
        isAnswered = true
        let text = String(decoding: received, as: UTF8.self)
        let status = text.split(separator: " ", maxSplits: 2).dropFirst().first.flatMap { Int($0) } ?? 0
        let body = headEnd.map { String(decoding: received[($0 + 4)...], as: UTF8.self) } ?? ""
        let handler = try? context.pipeline.syncOperations.handler(type: NIOSSLClientHandler.self)
        let ends = handler?.peerCertificate.map { Date(timeIntervalSince1970: TimeInterval($0.notValidAfter)) }
        answer.succeed(ProbeConnection.Reply(status: status, body: body, certificateEnds: ends))
        context.close(promise: nil)
    }
}
