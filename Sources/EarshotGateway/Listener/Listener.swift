import EarshotCore
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle

/// Where connections come from, and how many there may be.
struct ListenerSettings: Sendable {
    let endpoint: GatewayConfiguration.Endpoint
    let admission: ConnectionAdmission
    let group: any EventLoopGroup
    let readiness: Readiness
    let logger: Logger
}

/// Accepts connections until the server shuts down, then lets those that are open end.
///
/// While it drains, a listener that opened its own socket goes on accepting, and new requests are answered with 503 and
/// `Retry-After`: a proxy in front passes that on, instead of reporting a server that is gone. A socket that was handed
/// over by the service manager is only closed here: new connections wait in its queue for the next server, and those
/// that are open already get their answers.
struct Listener<Connection: ServerChildChannel>: Sendable {
    /// Requests that are still in flight this long after the drain began are cut off.
    static var drainLimit: TimeAmount { .seconds(8) }
    /// Clients that came while the server drained get this long to read their answer.
    private static var farewell: TimeAmount { .seconds(1) }
    /// Connections that wait to be accepted.
    private static var backlog: Int32 { 4096 }

    private let settings: ListenerSettings
    private let connection: Connection
    private var logger: Logger { settings.logger }

    init(_ settings: ListenerSettings, _ connection: Connection) {
        self.settings = settings
        self.connection = connection
    }

    /// Listens, and serves until the server shuts down.
    /// - Parameter onRunning: called with the port once connections are accepted.
    func run(onRunning: @escaping @Sendable (Int) async -> Void) async throws {
        let open = OpenConnections()
        let (accepted, newConnection) = AsyncStream.makeStream(of: Connection.Value.self)
        let server = try await bind(open, newConnection)
        server.closeFuture.whenComplete { _ in newConnection.finish() }
        let port = server.localAddress?.port
        logger.info("Listening.", metadata: ["port": "\(port.map(String.init) ?? "unknown")"])
        await withGracefulShutdownHandler {
            await withDiscardingTaskGroup { group in
                group.addTask {
                    try? await gracefulShutdown()
                    await end(server, open)
                }
                if let port { await onRunning(port) }
                for await value in accepted {
                    group.addTask { await connection.handle(value: value, logger: logger) }
                }
            }
        } onGracefulShutdown: {
            settings.readiness.report(.draining)
        }
    }

    /// Lets connections end, for a bounded time, and closes the listening socket.
    private func end(_ server: any Channel, _ open: OpenConnections) async {
        let loop = server.eventLoop
        if settings.endpoint.isInherited { await close(server) }
        let cut = loop.scheduleTask(in: Self.drainLimit) {
            logger.warning("Closing connections that are still in flight.")
            open.closeAll()
        }
        try? await open.quiesce(on: loop).get()
        if !settings.endpoint.isInherited { await close(server) }
        let late = loop.scheduleTask(in: Self.farewell) { open.closeAll() }
        try? await open.quiesce(on: loop).get()
        cut.cancel()
        late.cancel()
    }

    /// Stops accepting, and closes the listening socket once each connection that was accepted is set up: closing it
    /// earlier would reset those.
    private func close(_ server: any Channel) async {
        try? await server.setOption(.autoRead, value: false).get()
        // A connection is set up on its own event loop, then announced on the server's, then registered on its own.
        await runWhatIsQueued()
        try? await server.eventLoop.submit {}.get()
        await runWhatIsQueued()
        try? await server.close()
    }

    /// Waits until every event loop has run what was queued before.
    private func runWhatIsQueued() async {
        for loop in settings.group.makeIterator() { try? await loop.submit {}.get() }
    }

    private func bind(_ open: OpenConnections, _ accepted: AsyncStream<Connection.Value>.Continuation) async throws
        -> any Channel
    {
        let (admission, connection, logger) = (settings.admission, connection, logger)
        let bootstrap = ServerBootstrap(group: settings.group)
            .serverChannelOption(.backlog, value: Self.backlog)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(AdmissionHandler(admission, logger: logger))
                }
            }
            .childChannelInitializer { channel in
                open.add(channel)
                return connection.setup(channel: channel, logger: logger).map { _ = accepted.yield($0) }
            }
        return switch settings.endpoint {
        case .address(let host, let port): try await bootstrap.bind(host: host, port: port).get()
        case .inherited(let descriptor): try await bootstrap.withBoundSocket(descriptor).get()
        }
    }
}
