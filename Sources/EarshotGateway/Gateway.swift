public import EarshotCore
import EarshotModel
import Hummingbird
import HummingbirdCore
public import Logging
public import ServiceLifecycle

/// The server's front: HTTP for sign-in, uploads, downloads and pages, and one WebSocket per client for everything
/// live. A `Service`: it runs until it is told to stop, then accepts no more connections, tells sockets, finishes what
/// is in flight, and ends within `drainLimit`.
public struct Gateway: Service {
    /// Requests that are still in flight after this time are cut off.
    static let drainLimit = Duration.seconds(8)

    let application: Application<GatewayResponder>
    let parts: GatewayParts
    private let logger: Logger

    /// - Parameters:
    ///   - hub: the hub of the sockets, whose event loops the gateway uses; without it the gateway accepts no sockets.
    ///   - onRunning: called with the port once connections are accepted.
    /// - Throws: `GatewayFault` where the configuration would allow eavesdropping, or names files that cannot be used.
    public init(
        _ configuration: GatewayConfiguration, services: GatewayDependencies, hub: SocketHub? = nil,
        environment: SystemEnvironment,
        logger: Logger, onRunning: @escaping @Sendable (Int) async -> Void = { _ in }
    ) throws {
        let parts = try GatewayParts(configuration, services: services, environment: environment, logger: logger)
        self.parts = parts
        self.logger = logger
        // Read at once, so that a bad certificate stops the start and not the first connection.
        _ = try parts.channel(hub, { _, _, _ in }, configuration.security)
        application = Application(
            responder: parts.responder,
            server: HTTPServerBuilder { responder in try parts.channel(hub, responder, configuration.security) },
            configuration: ApplicationConfiguration(
                address: .hostname(configuration.host, port: configuration.port), backlog: 4096,
                availableConnectionsDelegate: MaximumAvailableConnections(configuration.maximumConnections)),
            onServerRunning: { channel in
                if let port = channel.localAddress?.port { await onRunning(port) }
            },
            eventLoopGroupProvider: hub.map { .shared($0.group) } ?? .singleton, logger: logger)
    }

    /// Serves until the server shuts down.
    public func run() async throws {
        let readiness = parts.readiness
        try await withGracefulShutdownHandler {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await application.run() }
                group.addTask { try await limitDrain() }
                try await group.next()
                group.cancelAll()
            }
        } onGracefulShutdown: {
            readiness.report(.draining)
        }
    }

    /// Ends a fixed time after the shutdown began, even if requests are still in flight.
    private func limitDrain() async throws {
        try await gracefulShutdown()
        try await Task.sleep(for: Self.drainLimit)
        logger.warning("Closing connections that are still in flight.")
    }
}
