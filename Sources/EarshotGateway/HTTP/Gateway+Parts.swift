import EarshotCore
import EarshotModel
import Hummingbird
import HummingbirdCore
import HummingbirdTLS
import NIOHTTP1
import NIOSSL

/// The pieces of a gateway, put together once.
struct GatewayParts: Sendable {
    let table: RouteTable
    let responder: GatewayResponder
    let pipeline: HTTPPipeline
    let drain: Drain

    init(_ configuration: GatewayConfiguration, identity: IdentityDesk, media: MediaDesk, surroundings: Surroundings) throws {
        let origins = configuration.origins
        let cookie = SessionCookie(isSecure: configuration.security.isSecure)
        let headers = SecurityHeaders(isSecure: configuration.security.isSecure)
        let requestID = { @Sendable in Base64URL.encode(surroundings.random(9)) }
        let drain = Drain()
        let table = RouteTable(
            ConsumerRoutes(identity: identity).routes + SessionRoutes(identity: identity, cookie: cookie).routes + UploadRoutes(media: media).routes
                + MediaRoutes(media: media, reader: FileReader()).routes + HealthRoute(drain: drain).routes)
        let gate = RequestGate(
            identity: identity, origins: origins, peers: PeerRules(proxies: try configuration.proxies()), cookie: cookie,
            allowances: AllowanceBook(configuration.allowances, now: surroundings.now))
        self.table = table
        self.drain = drain
        responder = GatewayResponder(
            table: table, pages: try Pages.load(configuration.pages, identity: PageIdentity(identity: identity, origins: origins)), gate: gate,
            headers: headers, requestID: requestID)
        let answers = RefusalAnswers(headers: headers, requestID: requestID)
        pipeline = HTTPPipeline {
            ConnectionGuard(deadlines: ConnectionDeadlines(), answers: answers) { head in table.limits(head) }
        }
    }
}

extension RouteTable {
    /// What the head of a request may be followed by.
    func limits(_ head: HTTPRequestHead) -> BodyLimits {
        guard let method = HTTPRequest.Method(head.method.rawValue) else { return .nothing }
        return limits(method, head.uri.prefix { $0 != "?" })
    }
}

extension GatewayConfiguration.Security {
    /// Wraps each connection in TLS, where that is ours to do.
    /// - Throws: `GatewayFault` for files that cannot be used.
    func protect(_ channel: some ServerChildChannel) throws -> any ServerChildChannel {
        guard case .tls(let certificate, let key) = self else { return channel }
        return try TLSChannel(channel, tlsConfiguration: try Self.tls(certificate, key))
    }

    private static func tls(_ certificate: String, _ key: String) throws(GatewayFault) -> TLSConfiguration {
        let chain: [NIOSSLCertificate]
        do { chain = try NIOSSLCertificate.fromPEMFile(certificate) } catch { throw GatewayFault("\(certificate) is no PEM certificate.") }
        let secret: NIOSSLPrivateKey
        do { secret = try NIOSSLPrivateKey(file: key, format: .pem) } catch { throw GatewayFault("\(key) is no PEM private key.") }
        var tls = TLSConfiguration.makeServerConfiguration(certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(secret))
        tls.minimumTLSVersion = .tlsv12
        tls.applicationProtocols = ["http/1.1"]
        return tls
    }
}
