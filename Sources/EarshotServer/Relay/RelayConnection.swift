import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

/// A connection to a STUN or TURN server over UDP, TCP or TLS. For the doctor only.
final class RelayConnection: Sendable {
    /// How long the server has for a connection, and for each answer.
    static let limit = TimeAmount.seconds(5)
    /// A request that UDP may have lost is sent again after this.
    private static let again = TimeAmount.milliseconds(500)

    private let channel: any Channel
    private let mail: RelayMail

    private init(_ channel: any Channel, _ mail: RelayMail) {
        (self.channel, self.mail) = (channel, mail)
    }

    /// Connects.
    /// - Parameter authority: a PEM file with a certificate authority that is trusted, too.
    static func open(_ address: RelayAddress, authority: String?) async throws -> RelayConnection {
        let mail = RelayMail()
        let group = MultiThreadedEventLoopGroup.singleton
        if address.transport == .udp {
            let remote = try await group.any().makeFutureWithTask {
                try SocketAddress.makeAddressResolvingHost(address.host, port: address.port)
            }.get()
            let channel = try await DatagramBootstrap(group: group).channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Datagrams(remote: remote))
                    try channel.pipeline.syncOperations.addHandler(RelayHandler(mail: mail))
                }
            }.connect(to: remote).get()
            return RelayConnection(channel, mail)
        }
        let certificates = address.scheme.isSecure ? try Self.certificates(authority) : nil
        let channel = try await ClientBootstrap(group: group).connectTimeout(limit).channelInitializer { channel in
            channel.eventLoop.makeCompletedFuture {
                if let certificates {
                    let isNumber = (try? SocketAddress(ipAddress: address.host, port: 0)) != nil
                    try channel.pipeline.syncOperations.addHandler(
                        NIOSSLClientHandler(context: certificates, serverHostname: isNumber ? nil : address.host))
                }
                try channel.pipeline.syncOperations.addHandler(RelayHandler(mail: mail))
            }
        }.connect(host: address.host, port: address.port).get()
        return RelayConnection(channel, mail)
    }

    private static func certificates(_ authority: String?) throws -> NIOSSLContext {
        var tls = TLSConfiguration.makeClientConfiguration()
        if let authority { tls.additionalTrustRoots = [.file(authority)] }
        return try NIOSSLContext(configuration: tls)
    }

    /// Sends a request and waits for its answer. Sends it again while none comes.
    func request(_ bytes: [UInt8], transaction: [UInt8]) async throws -> StunMessage {
        let (channel, loop) = (channel, channel.eventLoop)
        let answer = loop.makePromise(of: StunMessage.self)
        mail.expect(.answer(transaction), answer)
        let repeated = loop.scheduleRepeatedTask(initialDelay: .zero, delay: Self.again) { _ in
            channel.writeAndFlush(channel.allocator.buffer(bytes: bytes), promise: nil)
        }
        let timeout = loop.scheduleTask(in: Self.limit) { answer.fail(ChannelError.connectTimeout(Self.limit)) }
        defer {
            repeated.cancel()
            timeout.cancel()
        }
        return try await answer.futureResult.get()
    }

    /// Sends what is not answered.
    func send(_ bytes: [UInt8]) { channel.writeAndFlush(channel.allocator.buffer(bytes: bytes), promise: nil) }

    /// Waits for what a peer sent.
    func received() -> EventLoopFuture<StunMessage> {
        let data = channel.eventLoop.makePromise(of: StunMessage.self)
        mail.expect(.data, data)
        channel.eventLoop.scheduleTask(in: Self.limit) { data.fail(ChannelError.connectTimeout(Self.limit)) }
        return data.futureResult
    }

    func close() { channel.close(promise: nil) }
}

/// Who waits for which message of a connection.
private final class RelayMail: Sendable {
    enum Kind: Hashable {
        /// The answer to a request.
        case answer([UInt8])
        /// What a peer sent.
        case data
    }

    private let waiting = Mutex<[Kind: EventLoopPromise<StunMessage>]>([:])

    func expect(_ kind: Kind, _ promise: EventLoopPromise<StunMessage>) {
        waiting.withLock { $0[kind] = promise }
    }

    func deliver(_ message: StunMessage) {
        let kind: Kind = message.kind == .indication ? .data : .answer(message.transaction)
        waiting.withLock { $0.removeValue(forKey: kind) }?.succeed(message)
    }

    func fail(_ error: any Error) {
        let promises = waiting.withLock { waiting in
            defer { waiting = [:] }
            return waiting.values.map(\.self)
        }
        for promise in promises { promise.fail(error) }
    }
}

/// Finds the messages in what arrives.
private final class RelayHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let mail: RelayMail
    private var received: [UInt8] = []

    init(mail: RelayMail) { self.mail = mail }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        received.append(contentsOf: unwrapInboundIn(data).readableBytesView)
        while let length = StunMessage.length(in: received), received.count >= length {
            if let message = StunMessage(Array(received.prefix(length))) { mail.deliver(message) }
            received.removeFirst(length)
        }
    }

    func channelInactive(context: ChannelHandlerContext) { mail.fail(ChannelError.eof) }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        mail.fail(error)
        context.close(promise: nil)
    }
}

/// Takes the datagrams of one remote address out of their envelopes, and puts them in.
private final class Datagrams: ChannelDuplexHandler {
    typealias InboundIn = AddressedEnvelope<ByteBuffer>
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = AddressedEnvelope<ByteBuffer>

    private let remote: SocketAddress

    init(remote: SocketAddress) { self.remote = remote }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        context.fireChannelRead(wrapInboundOut(unwrapInboundIn(data).data))
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        context.write(
            wrapOutboundOut(AddressedEnvelope(remoteAddress: remote, data: unwrapOutboundIn(data))), promise: promise)
    }
}
