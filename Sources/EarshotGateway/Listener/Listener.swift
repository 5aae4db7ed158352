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
    private static var farewell: TimeAmount { .milliseconds(100) }
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
        let server = try await bind(open)
        let port = server.channel.localAddress?.port
        logger.info("Listening.", metadata: ["port": "\(port.map(String.init) ?? "unknown")"])
        try await withGracefulShutdownHandler {
            try await withThrowingDiscardingTaskGroup { group in
                group.addTask {
                    try? await gracefulShutdown()
                    await end(server.channel, open)
                }
                if let port { await onRunning(port) }
                try await server.executeThenClose { accepted in
                    for try await value in accepted {
                        group.addTask { await connection.handle(value: value, logger: logger) }
                    }
                }
            }
        } onGracefulShutdown: {
            settings.readiness.report(.draining)
        }
    }

    /// Lets connections end, for a bounded time, and closes the listening socket.
    private func end(_ server: any Channel, _ open: OpenConnections) async {
        let loop = server.eventLoop
        if settings.endpoint.isInherited { try? await server.close() }
        let cut = loop.scheduleTask(in: Self.drainLimit) {
            logger.warning("Closing connections that are still in flight.")
            open.closeAll()
        }
        try? await open.quiesce(on: loop).get()
        try? await server.close()
        let late = loop.scheduleTask(in: Self.farewell) { open.closeAll() }
        try? await open.quiesce(on: loop).get()
        cut.cancel()
        late.cancel()
    }

    private func bind(_ open: OpenConnections) async throws -> NIOAsyncChannel<Connection.Value, Never> {
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
        let setup = { @Sendable (channel: any Channel) in
            open.add(channel)
            return connection.setup(channel: channel, logger: logger)
        }
        switch settings.endpoint {
        case .address(let host, let port):
            return try await bootstrap.bind(host: host, port: port, childChannelInitializer: setup)
        case .inherited(let descriptor):
            return try await bootstrap.bind(descriptor, childChannelInitializer: setup)
        }
    }
}
