import EarshotCore
import EarshotDomain
import EarshotGateway
import EarshotMedia
import EarshotModel
import EarshotStorage
import Foundation
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle
import UnixSignals

/// The composition root: the one place that sees every adapter, and puts them together.
public struct Server: Sendable {
    let configuration: ServerConfiguration
    let store: SQLiteStore
    let environment: SystemEnvironment
    let logger: Logger

    /// Opens the installation: its folder and its database.
    public init(_ configuration: ServerConfiguration) throws {
        self.configuration = configuration
        logger = Self.logger(configuration)
        environment = .system
        try FileManager.default.createDirectory(
            atPath: configuration.data, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let synchronous = SQLiteStore.Synchronous(rawValue: configuration.testSynchronous) ?? .full
        store = try SQLiteStore(
            path: configuration.data + "/earshot.sqlite", options: SQLiteStore.Options(synchronous: synchronous))
    }

    /// Where an operator adds brands, apps and people.
    public func office() -> AdminService {
        AdminService(accounts: store, environment: environment)
    }

    /// Makes the demo's brand, the first time.
    public func prepareDemo() async throws -> [DemoBrand.Login] {
        try await DemoBrand(accounts: store, environment: environment, folder: configuration.data).prepare()
    }

    /// Serves until SIGTERM, Ctrl-C, or the end of this task; then tells clients, finishes what is in flight and closes the log.
    /// - Parameters:
    ///   - demo: what to play of the demo's day; `nil`: nothing.
    ///   - onRunning: told the address once connections are taken.
    public func run(demo: DemoDay.Mode? = nil, onRunning: @escaping @Sendable (String) -> Void) async throws {
        defer { close() }
        let secret = try await store.secret("consumer-tokens") { environment.random(32) }
        let identity = IdentityService(accounts: store, environment: environment, tokenSecret: secret)
        // Before anybody is let in.
        try await identity.refreshSuspensions()
        let pool = WorkerPool(configuration.pool, logger: logger)
        let scanner = configuration.clamd.map { Scanner(.init(address: $0), logger: logger) }
        let recordings = try await MediaStore.open(configuration.data + "/media", pool: pool, scanner: scanner)
        let settings = SettingsService(accounts: store, environment: environment)
        let media = MediaService(
            uploads: recordings, accounts: store, store: store, settings: settings, environment: environment)
        let centre = ContactCentreService(store: store, accounts: store, environment: environment)
        let routing = RoutingService(
            store: store, source: store, accounts: store, centres: centre, environment: environment)
        let conversations = ConversationService(
            store: store, accounts: store, settings: settings, routing: routing, environment: environment)
        let hub = SocketHub(
            services: SocketDependencies(
                identity: identity, conversations: conversations, settings: settings, routing: routing, store: store),
            group: MultiThreadedEventLoopGroup.singleton, limits: configuration.sockets)
        store.connect(CommitListeners([hub, routing]))
        centre.connect(routing)
        centre.connect(hub)
        routing.connect(hub)
        settings.connect(hub)
        identity.connect(hub)
        identity.connect(routing)
        let dependencies = GatewayDependencies(
            identity: identity, media: media, settings: settings, audit: AuditService(accounts: store), centre: centre,
            routing: routing,
            search: SearchService(store: store, accounts: store), access: ConversationAccess(store: store)
        ) { scanner?.health.word }
        let gateway = try Gateway(
            configuration.gateway, services: dependencies, hub: hub, environment: environment, logger: logger,
            onRunning: { port in onRunning(configuration.address(port: port)) })
        let sweeper = UploadReaper(uploads: recordings, environment: environment, logger: logger)
        let scanning: [any Service] =
            scanner.map { scanner in
                [
                    scanner,
                    ScanBacklog(store: recordings, scanner: scanner, logger: logger) {
                        _ = try await media.settle($0, in: $1, verdict: $2)
                    },
                ]
            } ?? []
        let stage = DemoStage(
            mode: demo, store: store, media: media, centre: centre, routing: routing, conversations: conversations,
            identity: identity, environment: environment,
            voices: configuration.web + "/demo/voices", logger: logger)
        let services: [any Service] =
            [pool, sweeper] + scanning + [
                SettingsWatch(settings: settings, logger: logger), SuspensionWatch(identity: identity, logger: logger),
                RoutingRunner(routing: routing, logger: logger) { try await stage.set() },
                SearchIndex(store: store, logger: logger), stage, hub, gateway,
            ]
        do {
            try await ServiceGroup(services: services, gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
                .run()
        } catch let error as IOError where error.errnoCode == EADDRINUSE {
            throw GatewayFault(
                "\(configuration.host):\(configuration.port) is taken by another program (Earshot itself, if it runs already). Stop that program, or "
                    + "choose another port with --port or EARSHOT_PORT.")
        }
    }

    private func close() {
        do { try store.close() } catch {
            logger.error("The log did not close cleanly.", metadata: ["error": "\(error)"])
        }
    }

    private static func logger(_ configuration: ServerConfiguration) -> Logger {
        var logger = Logger(label: "earshot") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = Logger.Level(rawValue: configuration.logLevel) ?? .info
        return logger
    }
}
