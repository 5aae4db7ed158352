import EarshotModel
import Glibc
import Hummingbird
import HummingbirdCore
public import Logging
import NIOCore
public import ServiceLifecycle

/// Answers `GET /metrics` on an address of its own, for a monitoring system on this machine. It serves nothing else and
/// knows no callers, so it listens on loopback only.
public struct MonitoringGateway: Service {
    /// Scrapers connect one at a time; a few more may look by hand.
    private static let maximumConnections = 16

    private let application: Application<Responder>
    private let logger: Logger

    /// - Parameters:
    ///   - host: a loopback address.
    ///   - report: makes the text of the metrics; called for each request.
    public init(
        host: String, port: Int, logger: Logger, report: @escaping @Sendable () -> [UInt8]
    ) {
        self.logger = logger
        let answers = RefusalAnswers(headers: SecurityHeaders(isSecure: false), requestID: { "metrics" })
        let pipeline = HTTPPipeline {
            ConnectionGuard(deadlines: ConnectionDeadlines(), answers: answers) { _ in .nothing }
        }
        application = Application(
            responder: Responder(report: report),
            server: HTTPServerBuilder { HTTPChannel(pipeline: pipeline, responder: $0) },
            configuration: ApplicationConfiguration(
                address: .hostname(host, port: port),
                availableConnectionsDelegate: MaximumAvailableConnections(Self.maximumConnections)),
            onServerRunning: { _ in
                logger.notice("Metrics are served.", metadata: ["address": "http://\(host):\(port)/metrics"])
            },
            logger: logger)
    }

    /// Serves until the server shuts down.
    public func run() async throws {
        do { try await application.run() } catch let error as IOError where error.errnoCode == EADDRINUSE {
            throw GatewayFault(
                "The address for metrics is already in use. Choose another one with EARSHOT_METRICS_ADDRESS.")
        }
    }

    private struct Responder: HTTPResponder {
        typealias Context = GatewayContext

        let report: @Sendable () -> [UInt8]

        func respond(to request: Request, context: GatewayContext) async throws -> Response {
            guard request.uri.path == "/metrics" else { return Response(status: .notFound) }
            guard request.method == .get || request.method == .head else {
                return Response(status: .methodNotAllowed, headers: [.allow: "GET"])
            }
            let response = Response(
                status: .ok, headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8"],
                body: ResponseBody(byteBuffer: ByteBuffer(bytes: report())))
            return request.method == .head ? response.createHeadResponse() : response
        }
    }
}
