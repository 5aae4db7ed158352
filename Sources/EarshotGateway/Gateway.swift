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

    /// - Parameter onRunning: told the port once connections are taken.
    /// - Throws: `GatewayFault` where the configuration would let others read along, or names files that cannot be used.
    public init(
        _ configuration: GatewayConfiguration, identity: IdentityDesk, media: MediaDesk, surroundings: Surroundings, logger: Logger,
        onRunning: @escaping @Sendable (Int) async -> Void = { _ in }
    ) throws {
        let parts = try GatewayParts(configuration, identity: identity, media: media, surroundings: surroundings)
        self.parts = parts
        self.logger = logger
        // Read now, so that a bad certificate stops the start and not the first connection.
        let probe = try configuration.security.protect(HTTPChannel(pipeline: parts.pipeline) { _, _, _ in })
        _ = probe
        application = Application(
            responder: parts.responder,
            server: HTTPServerBuilder { responder in
                try configuration.security.protect(HTTPChannel(pipeline: parts.pipeline, responder: responder))
            },
            configuration: ApplicationConfiguration(
                address: .hostname(configuration.host, port: configuration.port), backlog: 1024,
                availableConnectionsDelegate: MaximumAvailableConnections(configuration.maximumConnections)),
            onServerRunning: { channel in
                if let port = channel.localAddress?.port { await onRunning(port) }
            },
            logger: logger)
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
