import EarshotCore
import EarshotDomain
import EarshotModel
import Logging
import NIOCore
import ServiceLifecycle
import Synchronization

@testable import EarshotGateway

/// A gateway that runs, on a port of its own.
struct TestGateway: Sendable {
    let brand: TestBrand
    let parts: GatewayParts
    let port: Int
    /// Tells the server to stop, as SIGTERM does.
    let stop: @Sendable () async -> Void

    static let generous = GatewayConfiguration.Allowances(
        newConsumers: .init(burst: 1_000_000, refillMs: 1), consumerSignIns: .init(burst: 1_000_000, refillMs: 1),
        uploads: .init(burst: 1_000_000, refillMs: 1),
        availability: .init(burst: 1_000_000, refillMs: 1), downloads: .init(burst: 1_000_000, refillMs: 1),
        requests: .init(burst: 1_000_000, refillMs: 1), programs: .init(burst: 1_000_000, refillMs: 1))

    /// Runs one until `body` ends.
    static func run(
        security: GatewayConfiguration.Security = .loopback, pages: String? = nil, servesDemo: Bool = false,
        allowances: GatewayConfiguration.Allowances = generous,
        signInLink: @escaping @Sendable (String) -> SignInLink? = { _ in nil },
        logger: Logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
        _ body: @escaping @Sendable (TestGateway) async throws -> Void
    ) async throws {
        let brand = try await TestBrand()
        let (ports, told) = AsyncStream.makeStream(of: Int.self)
        var configuration = GatewayConfiguration(
            host: "127.0.0.1", port: 0, security: security, pages: pages, allowances: allowances)
        configuration.servesDemo = servesDemo
        configuration.deadlines = .patient
        let gateway = try Gateway(
            configuration,
            services: GatewayDependencies(
                brand.core, environment: brand.environment, demoSignIn: .init(link: signInLink)),
            logger: logger, onRunning: { told.yield($0) })
        let group = ServiceGroup(configuration: .init(services: [gateway], logger: logger))
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask {
                defer { told.finish() }
                try await group.run()
            }
            guard let port = await ports.first(where: { _ in true }) else {
                try await tasks.waitForAll()
                throw GatewayFault("did not start")
            }
            let result = await Result {
                try await body(
                    TestGateway(
                        brand: brand, parts: gateway.parts, port: port, stop: { await group.triggerGracefulShutdown() })
                )
            }
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
            try result.get()
        }
    }

    /// Our own origin, as a browser spells it.
    var origin: String { "http://localhost:\(port)" }
}

extension ConnectionDeadlines {
    /// For tests that are not about time, on machines that are busy.
    static let patient = {
        var deadlines = ConnectionDeadlines()
        (deadlines.head, deadlines.keepAlive, deadlines.stalled) = (.minutes(10), .minutes(10), .minutes(10))
        return deadlines
    }()
}

extension Result where Failure == any Error {
    fileprivate init(_ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
