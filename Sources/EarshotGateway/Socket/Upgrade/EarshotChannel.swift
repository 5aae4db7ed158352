public import HummingbirdCore
public import Logging
public import NIOCore

/// A connection of ours: its first bytes say whether it becomes a socket (`GET /v1/socket`) or goes on as HTTP/1.1 to Hummingbird.
///
/// Deciding before any HTTP handler exists leaves nothing of HTTP in a socket's pipeline and makes thousands of sockets cheap. Later requests for
/// `/v1/socket` on the same connection reach the router, which has no such route. Wrap it in Hummingbird's `TLSChannel` for TLS.
public struct EarshotChannel: ServerChildChannel {
    /// - Parameter deadline: until when the first request's head must be complete.
    public typealias MakeHTTP = @Sendable (_ deadline: NIODeadline) -> HTTP1Channel
    /// Whether a page of this origin may open a socket at this host.
    public typealias AdmitOrigin = @Sendable (_ origin: String, _ host: String) -> Bool

    public struct Value: ServerChildChannelValue {
        public let channel: any Channel
        let http: EventLoopFuture<HTTPConnection?>
    }

    /// A connection that is HTTP.
    struct HTTPConnection: Sendable {
        let setup: HTTP1Channel
        let value: HTTP1Channel.Value
    }

    private let hub: SocketHub
    private let makeHTTP: MakeHTTP
    private let admits: AdmitOrigin

    public init(hub: SocketHub, admits: @escaping AdmitOrigin, http: @escaping MakeHTTP) {
        self.hub = hub
        self.admits = admits
        makeHTTP = http
    }

    public func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            try channel.syncOptions?.setOption(ChannelOptions.recvAllocator, value: Self.receiveBuffers)
            let promise = channel.eventLoop.makePromise(of: HTTPConnection?.self)
            let gate = UpgradeGate(hub: hub, admits: admits, makeHTTP: makeHTTP, logger: logger, promise: promise)
            try channel.pipeline.syncOperations.addHandler(gate)
            return Value(channel: channel, http: promise.futureResult)
        }
    }

    public func handle(value: Value, logger: Logger) async {
        guard let connection = try? await value.http.get() else { return }
        await connection.setup.handle(value: connection.value, logger: logger)
    }

    /// Small at first: most sockets say little. They grow where much is said (uploads).
    private static let receiveBuffers = AdaptiveRecvByteBufferAllocator(minimum: 256, initial: 512, maximum: 65_536)
}
