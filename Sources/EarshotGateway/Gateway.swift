public import EarshotCore
import EarshotModel
import Hummingbird
import HummingbirdCore
public import Logging
public import ServiceLifecycle

/// Earshot's door: HTTP for signing in, uploads, downloads and pages; one WebSocket per client for everything live. A `Service`: it runs until it is
/// told to stop, then takes no more connections, tells sockets, finishes what is in flight, and ends within `drainLimit`.
public struct Gateway: Service {
    /// What is still in flight after this is cut off.
    static let drainLimit = Duration.seconds(8)

    let application: Application<GatewayResponder>
    let parts: GatewayParts
    private let logger: Logger

    /// - Parameters:
    ///   - hub: where sockets live, on the event loops of its group; without it there are none.
    ///   - onRunning: told the port once connections are taken.
    /// - Throws: `GatewayFault` where the configuration would let others read along, or names files that cannot be used.
    public init(
        _ configuration: GatewayConfiguration, services: GatewayDependencies, hub: SocketHub? = nil,
        environment: SystemEnvironment,
        logger: Logger, onRunning: @escaping @Sendable (Int) async -> Void = { _ in }
    ) throws {
        let parts = try GatewayParts(configuration, services: services, environment: environment, logger: logger)
        self.parts = parts
        self.logger = logger
        // Read now, so that a bad certificate stops the start and not the first connection.
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

    public func run() async throws {
        let drain = parts.drain
        try await withGracefulShutdownHandler {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await application.run() }
                group.addTask { try await limitDrain() }
                try await group.next()
                group.cancelAll()
            }
        } onGracefulShutdown: {
            drain.begin()
        }
    }

    /// Ends some time after the shutdown began, whatever is still in flight.
    private func limitDrain() async throws {
        try await gracefulShutdown()
        try await Task.sleep(for: Self.drainLimit)
        logger.warning("Cutting off what is still in flight.")
    }
}
