public import EarshotCore
import EarshotModel
import Hummingbird
import HummingbirdCore
import HummingbirdTLS
import Logging
import NIOHTTP1
import NIOHTTPTypesHTTP1
import NIOSSL

/// The use cases that HTTP routes call.
public struct GatewayDependencies: Sendable {
    let identity: IdentityService
    let media: MediaService
    let settings: SettingsService
    let audit: AuditService
    let centre: ContactCentreService
    let search: SearchService
    let routing: RoutingService
    let access: ConversationAccess
    let readiness: Readiness
    /// Whether the doctor left this token in the data folder.
    let isDoctorToken: @Sendable (String) -> Bool
    /// The state of the scanner in one word; `nil` where there is none.
    let scanner: @Sendable () -> String?

    /// Names the use cases that HTTP routes call.
    /// - Parameters:
    ///   - isDoctorToken: whether the doctor left this token in the data folder.
    ///   - scanner: the state of the scanner in one word; `nil` where there is none.
    public init(
        identity: IdentityService, media: MediaService, settings: SettingsService, audit: AuditService,
        centre: ContactCentreService, routing: RoutingService,
        search: SearchService, access: ConversationAccess, readiness: Readiness = Readiness(),
        isDoctorToken: @escaping @Sendable (String) -> Bool = { _ in false },
        scanner: @escaping @Sendable () -> String? = { nil }
    ) {
        self.centre = centre
        self.search = search
        self.routing = routing
        self.access = access
        self.readiness = readiness
        self.scanner = scanner
        self.isDoctorToken = isDoctorToken
        self.identity = identity
        self.media = media
        self.settings = settings
        self.audit = audit
    }
}

/// The parts of a gateway, built and connected once.
struct GatewayParts: Sendable {
    let router: GatewayRouter
    let responder: GatewayResponder
    let pipeline: HTTPPipeline
    let readiness: Readiness
    private let gate: RequestGate
    private let answers: RefusalAnswers

    init(
        _ configuration: GatewayConfiguration, services: GatewayDependencies, environment: SystemEnvironment,
        logger: Logger
    ) throws {
        let (identity, media) = (services.identity, services.media)
        let origins = configuration.origins
        let cookie = SessionCookie(isSecure: configuration.security.isSecure)
        let headers = SecurityHeaders(isSecure: configuration.security.isSecure)
        let requestID = { @Sendable in Base64URL.encode(environment.random(9)) }
        let router = GatewayRouter(
            ConsumerRoutes(identity: identity, settings: services.settings).routes
                + SessionRoutes(
                    identity: identity, settings: services.settings, cookie: cookie,
                    deviceCookie: SessionCookie(isSecure: configuration.security.isSecure, suffix: "-device")
                ).routes
                + PeopleRoutes(identity: identity).routes
                + AccessRoutes(identity: identity, access: services.access).routes
                + UploadRoutes(media: media).routes
                + MediaRoutes(media: media, reader: FileReader()).routes
                + SettingsRoutes(settings: services.settings, audit: services.audit, logger: logger).routes
                + ContactCentreRoutes(centre: services.centre, accounts: services.search).routes
                + SearchRoutes(search: services.search, routing: services.routing, audit: services.audit).routes
                + [
                    WhyRoute(routing: services.routing, access: services.access).route,
                    DoctorRoute(isToken: services.isDoctorToken).route,
                    AvailabilityRoute(identity: identity, routing: services.routing).route,
                ]
                + HealthRoute(readiness: services.readiness, scanner: services.scanner).routes)
        let gate = RequestGate(
            identity: identity, origins: origins, peers: PeerRules(proxies: try configuration.proxies()),
            cookie: cookie,
            allowances: AllowanceBook(configuration.allowances, now: environment.now))
        self.router = router
        readiness = services.readiness
        self.gate = gate
        responder = GatewayResponder(
            router: router,
            pages: try Pages.load(configuration.pages, identity: PageIdentity(identity: identity, origins: origins)),
            gate: gate,
            headers: headers, requestID: requestID)
        let answers = RefusalAnswers(headers: headers, requestID: requestID)
        self.answers = answers
        pipeline = HTTPPipeline {
            ConnectionGuard(deadlines: configuration.deadlines, answers: answers) { head in router.limits(head) }
        }
    }

    /// The channel of a connection: HTTP and, with a hub, WebSocket.
    func channel(
        _ hub: SocketHub?, _ responder: @escaping HTTPChannelHandler.Responder,
        _ security: GatewayConfiguration.Security
    ) throws
        -> any ServerChildChannel
    {
        let http = HTTPChannel(pipeline: pipeline, responder: responder)
        guard let hub else { return try security.protect(http) }
        let entrance = SocketEntrance(hub: hub, answers: answers) {
            [gate] head, request, address throws(UpgradeRequest.Refusal) in
            try gate.admit(head, request, address)
        }
        return try security.protect(EarshotChannel(http: http, sockets: entrance))
    }
}

extension RequestGate {
    /// Allows a request to become a socket: from a protected connection, and not from a foreign page.
    fileprivate func admit(_ head: HTTPRequestHead, _ request: UpgradeRequest, _ address: String?) throws(UpgradeRequest
        .Refusal)
    {
        let peer = peers.peer(connection: address, fields: HTTPFields(head.headers, splitCookie: false))
        do { try checkProtected(peer) } catch { throw UpgradeRequest.Refusal(status: .forbidden, rejection: error) }
        if let origin = request.origin, !origins.isOwn(origin, host: request.host) { throw .origin }
    }
}

extension GatewayRouter {
    /// The limits of the body that follows this head.
    func limits(_ head: HTTPRequestHead) -> BodyLimits {
        guard let method = HTTPRequest.Method(head.method.rawValue) else { return .nothing }
        return limits(method, head.uri.prefix { $0 != "?" })
    }
}

extension GatewayConfiguration.Security {
    /// Wraps each connection in TLS where the server ends TLS itself.
    /// - Throws: `GatewayFault` for files that cannot be used.
    func protect(_ channel: some ServerChildChannel) throws -> any ServerChildChannel {
        guard case .tls(let certificate, let key) = self else { return channel }
        return try TLSChannel(channel, tlsConfiguration: try Self.tls(certificate, key))
    }

    private static func tls(_ certificate: String, _ key: String) throws(GatewayFault) -> TLSConfiguration {
        let chain: [NIOSSLCertificate]
        do { chain = try NIOSSLCertificate.fromPEMFile(certificate) } catch {
            throw GatewayFault("\(certificate) is not a PEM certificate.")
        }
        let secret: NIOSSLPrivateKey
        do { secret = try NIOSSLPrivateKey(file: key, format: .pem) } catch {
            throw GatewayFault("\(key) is not a PEM private key.")
        }
        var tls = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(secret))
        tls.minimumTLSVersion = .tlsv12
        tls.applicationProtocols = ["http/1.1"]
        return tls
    }
}
