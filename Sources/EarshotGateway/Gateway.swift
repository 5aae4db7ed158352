public import EarshotCore
import EarshotModel
import HummingbirdCore
public import Logging
import NIOCore
import NIOPosix
public import ServiceLifecycle

/// The server's front: HTTP for sign-in, uploads, downloads and pages, and one WebSocket per client for everything
/// live. A `Service`: it runs until it is told to stop, then refuses new work, tells sockets, finishes what is in
/// flight, and ends within `Listener.drainLimit`.
public struct Gateway: Service {
    let parts: GatewayParts
    private let connection: any ServerChildChannel
    private let listening: ListenerSettings
    private let onRunning: @Sendable (Int) async -> Void

    /// - Parameters:
    ///   - hub: the hub of the sockets, whose event loops the gateway uses; without it the gateway accepts no sockets.
    ///   - onRunning: called with the port once connections are accepted.
    /// - Throws: `GatewayFault` where the configuration would allow eavesdropping, or names files that cannot be used.
    public init(
        _ configuration: GatewayConfiguration, services: GatewayDependencies, hub: SocketHub? = nil,
        logger: Logger, onRunning: @escaping @Sendable (Int) async -> Void = { _ in }
    ) throws {
        let parts = try GatewayParts(
            configuration, services: services, metrics: hub?.metrics ?? GatewayMetrics(), logger: logger)
        self.parts = parts
        self.onRunning = onRunning
        connection = parts.connection(hub, logger: logger)
        listening = ListenerSettings(
            endpoint: configuration.endpoint,
            admission: ConnectionAdmission(
                maximum: configuration.maximumConnections, addressLimit: configuration.addressLimit,
                exempt: try configuration.proxies()),
            group: hub?.group ?? MultiThreadedEventLoopGroup.singleton, readiness: parts.readiness, logger: logger)
    }

    /// What the gateway and its sockets report to a monitoring system.
    public var metrics: [any Metric] { parts.metrics }

    /// Serves until the server shuts down.
    public func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            if let certificate = parts.certificate {
                group.addTask { await CertificateWatcher(certificate, logger: listening.logger).run() }
            }
            group.addTask { try await listen(connection) }
            // The watcher ends with the shutdown; the listener when the last connection has ended.
            try await group.waitForAll()
        }
    }

    private func listen(_ connection: some ServerChildChannel) async throws {
        try await Listener(listening, connection).run(onRunning: onRunning)
    }
}
