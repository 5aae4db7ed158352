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

/// Composes the server from its adapters. It is the only place that knows all of them.
public struct Server: Sendable {
    /// The version of this program.
    public static var version: String { EarshotVersion.current }

    private let configuration: ServerConfiguration
    private let lock: DataFolderLock
    private let store: SQLiteStore
    private let environment: SystemEnvironment
    private let keyFile: KeyFile
    private let readiness = Readiness([.starting])
    private let logger: Logger
    private let started: Timestamp

    /// What an installation is opened for.
    public enum Purpose: Sendable {
        /// To serve. No other process may use the data folder.
        case serving
        /// For a command of the operator, during which a server of the same version may run.
        case command
    }

    /// Opens the data folder and the database. Creates them if they do not exist.
    /// - Throws: `ServerFailure` if they cannot be used.
    public init(_ configuration: ServerConfiguration, for purpose: Purpose = .serving) throws {
        if purpose == .serving { try configuration.checkFiles() }
        self.configuration = configuration
        logger = Self.logger(configuration)
        environment = .system
        started = environment.now()
        let folder = DataFolder(path: configuration.data)
        try folder.prepare()
        lock = try folder.lock(for: purpose == .serving ? .serving : .command)
        store = try Self.open(configuration, mayMigrate: !lock.isBesideServer)
        keyFile = KeyFile(folder: configuration.data, masters: store.masterKeys, environment: environment)
    }

    /// The service behind the commands that an operator uses.
    public func admin() -> AdminService {
        AdminService(
            store, environment: environment, keys: keyFile, lock: lock)
    }

    /// The fingerprint of the key that signs evidence bundles and receipts.
    public func signingKeyFingerprint() throws -> String { try signer().verifier.fingerprint }

    /// The service behind the commands about retention.
    public func retentionAdmin() throws -> RetentionAdmin {
        RetentionAdmin(
            admin(), store, signatures: try signer().verifier,
            originals: RecordingOriginals(root: configuration.data + "/media"))
    }

    private func signer() throws -> DocumentSigner {
        try Self.usable { try KeptKey.signing.load(from: configuration.data, store.masterKeys, environment) }
    }

    private func keys() async throws -> KeyRing {
        let (secrets, name) = (store.secrets, KeyFile.storedName)
        let sealing = try Self.usable {
            try KeptKey.sealing.load(from: configuration.data, store.masterKeys, environment)
        }
        do {
            return try await keyFile.load(sealing: sealing) {
                try await secrets.secret(name)
            } remove: {
                try await secrets.remove(name)
            }
        } catch let failure as AdapterFailure {
            throw ServerFailure(failure)
        }
    }

    /// Creates the demo brand if it does not exist.
    /// - Returns: how to sign in to it.
    public func prepareDemo() async throws -> [DemoBrand.Login] {
        try await DemoBrand(accounts: store.accounts, environment: environment, folder: configuration.data).prepare()
    }

    /// Makes the one-click links of the demo, in place of those before.
    /// - Returns: nothing where none would work, because browsers elsewhere reach the server.
    public func makeDemoLinks() throws -> [DemoLink] {
        configuration.offersDemoLinks ? try demoLinks.make() : []
    }

    /// Makes new one-click links for the demo that runs on the data folder.
    /// - Returns: the links, and the address of the demo.
    /// - Throws: `AdminService.InvalidInput` if no demo runs, or one for which links would not work.
    public func renewDemoLinks() throws -> (links: [DemoLink], address: String) {
        guard let reach = lock.server, reach.hasDemoLinks else {
            throw AdminService.InvalidInput(
                description:
                    "No demo with one-click links runs on the data folder \(configuration.data). Start one on this "
                    + "machine, without a proxy: earshot demo")
        }
        return (try demoLinks.make(), reach.address)
    }

    private var demoLinks: DemoLinks { DemoLinks(data: configuration.data, environment: environment) }

    /// Whether the server has no brand yet, so that nobody can sign in.
    public func isEmpty() async throws -> Bool { try await store.accounts.accounts(atMost: 1).isEmpty }

    /// Serves until SIGTERM, Ctrl-C or the end of this task. Then it notifies clients, finishes what is in progress and
    /// closes the database.
    /// - Parameters:
    ///   - demo: which part of the demo to play; `nil` plays nothing.
    ///   - onRunning: called with the server's address once it accepts connections.
    public func run(demo: DemoDay.Mode? = nil, onRunning: @escaping @Sendable (String) -> Void) async throws {
        defer { close() }
        let activation = try SocketActivation(
            environment: ProcessInfo.processInfo.environment, process: ProcessInfo.processInfo.processIdentifier)
        let budget = try DescriptorBudget(limit: OpenFileLimit.raise(), workers: configuration.pool.maxWorkers)
        let pool = pool(budget)
        let scanner = configuration.clamd.map { Scanner(.init(address: $0), logger: logger) }
        let recordings = try await MediaStore.open(
            configuration.data + "/media", pool: pool, scanner: scanner, reserve: configuration.mediaReserve,
            logger: logger)
        let core = CoreServices(
            .init(store, recordings: WatchedRecordings(recordings, readiness: readiness, logger: logger)),
            environment: environment,
            keys: try await keys(), signer: try signer(),
            options: .init(uploadLimits: configuration.uploadLimits, relay: try configuration.relay.relay()))
        // Before the first connection is accepted.
        try await core.identity.clock.refresh()
        try await core.identity.refreshSuspensions()
        try await core.identity.refreshAllowedOrigins()
        try await core.identity.sessions.refresh()
        let hub = SocketHub(
            services: SocketDependencies(core, store: store.log), group: MultiThreadedEventLoopGroup.singleton,
            limits: configuration.sockets, logger: logger)
        core.connect(hub)
        let gateway = try Gateway(
            configuration.gateway(budget, activation),
            services: dependencies(core, store, try await demoIdentityProvider(core)), hub: hub, logger: logger,
            onRunning: { port in
                let address = configuration.address(port: port)
                lock.announce(
                    .init(address: address, hasDemoLinks: configuration.offersDemoLinks),
                    version: EarshotVersion.current)
                onRunning(address)
            })
        let demo = DemoSetup(
            mode: demo, store: store, core: core, environment: environment,
            voices: configuration.web.path + "/demo/voices", logger: logger)
        let indexed = SearchIndexer.gauge()
        let metrics =
            store.metrics + core.routing.metrics + core.identity.consumerSignIn.metrics + gateway.metrics + pool.metrics
            + recordings.metrics
            + (scanner?.metrics ?? []) + [indexed]
        let services: [any Service] =
            [pool, UploadReaper(cleanup: core.media.cleanup, logger: logger)]
            + scanning(scanner, recordings, core.media) + monitoring(metrics) + [
                SettingsPoller(settings: core.settings, logger: logger),
                AccessPoller(identity: core.identity, keys: keyFile, logger: logger),
                RoutingRunner(routing: core.routing, readiness: readiness, logger: logger) { try await demo.prepare() },
                CallRunner(calls: core.calls), SessionReaper(identity: core.identity, logger: logger),
                RetentionRunner(retention: core.retention, installation: store.installation, logger: logger),
                SearchIndexer(store: store.contactCentre, indexed: indexed, logger: logger), demo, hub, gateway,
                StorageWatch(store: store, readiness: readiness, path: databasePath, logger: logger),
                ServiceManager(environment: ProcessInfo.processInfo.environment, readiness: readiness, logger: logger),
            ]
        try await run(services)
    }

    /// When a service fails, the others end gracefully, so that clients are told to come back.
    private func run(_ services: [any Service]) async throws {
        var group = ServiceGroupConfiguration(
            services: services.map { .init(service: $0, failureTerminationBehavior: .gracefullyShutdownGroup) },
            gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
        group.maximumGracefulShutdownDuration = Self.shutdownLimit
        do {
            try await ServiceGroup(configuration: group).run()
        } catch let error as IOError where error.errnoCode == EADDRINUSE {
            throw GatewayFault(
                "\(configuration.host):\(configuration.port) is already in use, perhaps by another Earshot server. "
                    + "Stop that program, or choose another port with --port or EARSHOT_PORT.")
        }
    }

    private func pool(_ budget: DescriptorBudget) -> WorkerPool {
        logger.info(
            "Shared out the open files.",
            metadata: [
                "limit": "\(budget.limit)", "connections": "\(budget.connections)", "workers": "\(budget.workers)",
            ])
        var settings = configuration.pool
        settings.maxWorkers = budget.workers
        return WorkerPool(settings, logger: logger)
    }

    /// Sets the demo brand's identity provider up, unless it has one; `nil` outside of the demo.
    private func demoIdentityProvider(_ core: CoreServices) async throws -> DemoIdentityProvider? {
        guard configuration.servesDemo else { return nil }
        let signer = try Self.usable { try KeptKey.demo.load(from: configuration.data, store.masterKeys, environment) }
        let provider = DemoIdentityProvider(signer: signer, now: environment.now)
        try await core.identity.consumerSignIn.setUp(
            provider.setting, of: DemoBrand.account, by: AuditEntry.operator_)
        return provider
    }

    private func dependencies(
        _ core: CoreServices, _ store: SQLiteStore, _ demo: DemoIdentityProvider?
    ) -> GatewayDependencies {
        let links = configuration.offersDemoLinks ? demoLinks : nil
        return GatewayDependencies(
            core, environment: environment, readiness: readiness,
            inspected: InspectedInstallation(isToken: DoctorFolder(data: configuration.data).has) {
                store.health.condition.damaged.prefix(20).map { "row \($0.id) of the table \($0.table)" }
            },
            demoSignIn: DemoSignIn(link: { links?.link($0) }, idToken: demo?.idToken))
    }

    /// The service that serves these metrics and those of the process; none without an address.
    private func monitoring(_ metrics: [any Metric]) -> [any Service] {
        guard let address = configuration.metrics else { return [] }
        let process = ProcessMetrics(data: configuration.data, started: started)
        let all = metrics + readiness.metrics + process.all
        return [
            MonitoringGateway(host: address.host, port: address.port, logger: logger) {
                PrometheusText.write(all.map(\.family))
            }
        ]
    }

    /// The services that scan recordings; none without a scanner.
    private func scanning(_ scanner: EarshotMedia.Scanner?, _ recordings: MediaStore, _ media: MediaService)
        -> [any Service]
    {
        guard let scanner else { return [] }
        let backlog = ScanBacklog(store: recordings, scanner: scanner, logger: logger) {
            _ = try await media.apply($2, to: $0, in: $1)
        }
        return [scanner, backlog]
    }

    private func close() {
        do { try store.close() } catch {
            logger.error("Closing the database failed.", metadata: ["error": "\(error)"])
        }
    }

    /// A shutdown takes no longer than this, whatever hangs.
    private static let shutdownLimit = Duration.seconds(15)

    private var databasePath: String { Self.databasePath(configuration) }

    private static func databasePath(_ configuration: ServerConfiguration) -> String {
        configuration.data + "/earshot.sqlite"
    }

    static func open(_ configuration: ServerConfiguration, mayMigrate: Bool) throws -> SQLiteStore {
        var options = SQLiteStore.Options(
            synchronous: SQLiteStore.Synchronous(rawValue: configuration.testSynchronous) ?? .full)
        options.mayMigrate = mayMigrate
        let keys = MasterKeyFile(configuration, .system)
        try keys.checkMode()
        do throws(AdapterFailure) {
            return try SQLiteStore(path: databasePath(configuration), keys: keys, options: options)
        } catch {
            throw ServerFailure(error)
        }
    }

    /// Runs what reads a file of the data folder, and turns its failure into what the operator is told.
    private static func usable<Value>(_ read: () throws -> Value) throws -> Value {
        do { return try read() } catch let failure as AdapterFailure { throw ServerFailure(failure) }
    }

    private static func logger(_ configuration: ServerConfiguration) -> Logger {
        var logger = Logger(label: "earshot") { label in
            configuration.logFormat.handler(label: label, now: SystemEnvironment.system.now)
        }
        logger.logLevel = Logger.Level(rawValue: configuration.logLevel) ?? .info
        return logger
    }
}
