public import EarshotCore
import EarshotModel
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1

/// The use cases that HTTP routes call, and what they know of the process.
public struct GatewayDependencies: Sendable {
    let identity: IdentityService
    let apiKeys: APIKeyService
    let media: MediaService
    let settings: SettingsService
    let brand: BrandService
    let audit: AuditService
    let centre: ContactCentreService
    let privacy: PrivacyService
    let search: SearchService
    let routing: RoutingService
    let access: ConversationAccess
    let transcripts: TranscriptService
    let evidence: EvidenceService
    let history: HistoryService
    let environment: SystemEnvironment
    let readiness: Readiness
    /// What the operator's doctor may see.
    let inspected: InspectedInstallation
    let demoSignIn: DemoSignIn

    /// Takes from the core what HTTP routes call.
    /// - Parameters:
    ///   - environment: the clock and the randomness.
    ///   - readiness: whether the server takes work.
    ///   - inspected: what the operator's doctor may see.
    ///   - demoSignIn: how people get into the demo without credentials of their own.
    public init(
        _ core: CoreServices, environment: SystemEnvironment, readiness: Readiness = Readiness(),
        inspected: InspectedInstallation = InspectedInstallation(),
        demoSignIn: DemoSignIn = DemoSignIn()
    ) {
        identity = core.identity
        apiKeys = core.apiKeys
        media = core.media
        settings = core.settings
        brand = core.brand
        audit = core.audit
        centre = core.contactCentre
        privacy = core.privacy
        search = core.search
        routing = core.routing
        access = core.access
        transcripts = core.transcripts
        evidence = core.evidence
        history = core.history
        self.environment = environment
        self.readiness = readiness
        self.inspected = inspected
        self.demoSignIn = demoSignIn
    }
}

/// The parts of a gateway, built and connected once.
struct GatewayParts: Sendable {
    let router: GatewayRouter
    let responder: GatewayResponder
    let pipeline: HTTPPipeline
    let readiness: Readiness
    /// What the gateway and its sockets report to a monitoring system.
    let metrics: [any Metric]
    /// `nil` where the server does not end TLS itself.
    let certificate: ServerCertificate?
    private let gate: RequestGate
    private let answers: RefusalAnswers

    init(
        _ configuration: GatewayConfiguration, services: GatewayDependencies, metrics: GatewayMetrics, logger: Logger
    ) throws {
        let identity = services.identity
        let origins = configuration.origins
        let cookie = SessionCookie(isSecure: configuration.security.isSecure)
        let headers = SecurityHeaders(isSecure: configuration.security.isSecure)
        let peers = PeerRules(proxies: try configuration.proxies())
        let requestIDs = RequestIDs(peers: peers, environment: services.environment)
        let embedding = Embedding(
            identity: identity, brand: services.brand, origins: origins,
            records: EmbedRecords(logger: logger, now: services.environment.now))
        let pages = try Pages.load(configuration, embedding: embedding)
        let router = GatewayRouter(
            Self.routes(services, configuration, cookie: cookie, logger: logger)
                + EmbedRoutes(embedding: embedding, loader: pages.loader).routes
                + LogoRoute(brand: services.brand).routes)
        let gate = RequestGate(
            identity: identity, keys: services.apiKeys,
            pages: ForeignPages(identity: identity, own: origins, cookie: cookie), peers: peers,
            cookie: cookie,
            allowances: AllowanceBook(configuration.allowances, now: services.environment.now),
            readiness: services.readiness, isSocketInherited: configuration.endpoint.isInherited,
            forwarded: ForwardedLoad(
                limit: configuration.connectionsPerAddress ?? GatewayConfiguration.sharedPerAddress))
        let requests = RequestMetrics(router.routes)
        self.router = router
        self.readiness = services.readiness
        // Read now, so that a bad certificate stops the start and not the first connection.
        let certificate = try configuration.security.certificate()
        self.certificate = certificate
        self.metrics =
            metrics.all + requests.all + [
                ReadMetric(
                    "earshot_certificate_expires_seconds",
                    "When the TLS certificate ends, in seconds since 1970. Absent without a certificate."
                ) { certificate.map { Double($0.ends) } }
            ]
        self.gate = gate
        responder = GatewayResponder(
            router: router,
            pages: pages,
            gate: gate,
            headers: headers, requestIDs: requestIDs,
            metrics: metrics, requests: requests, proxyWarning: ProxyWarning(logger))
        let answers = RefusalAnswers(headers: headers, requestID: requestIDs.make, metrics: metrics)
        self.answers = answers
        let readiness = services.readiness
        pipeline = HTTPPipeline {
            ConnectionGuard(
                deadlines: configuration.deadlines, answers: answers, isDraining: { readiness.holds(.draining) }
            ) { head in router.limits(head) }
        }
    }

    /// Every route of the API.
    private static func routes(
        _ services: GatewayDependencies, _ configuration: GatewayConfiguration, cookie: SessionCookie, logger: Logger
    ) -> [Route] {
        let (identity, media) = (services.identity, services.media)
        let sessions = SessionRoutes(
            identity: identity, settings: services.settings, cookie: cookie,
            deviceCookie: SessionCookie(isSecure: configuration.security.isSecure, suffix: "-device"))
        return ConsumerRoutes(identity: identity, settings: services.settings).routes
            + sessions.routes
            + SignInPageRoutes(page: identity.signInPage, link: services.demoSignIn.link, sessions: sessions).routes
            + SecondFactorRoutes(secondFactors: identity.secondFactors).routes
            + PeopleRoutes(identity: identity).routes
            + ProfileRoutes(profiles: identity.profiles).routes
            + IdentityProviderRoutes(signIn: identity.consumerSignIn).routes
            + APIKeyRoutes(keys: services.apiKeys).routes
            + HistoryRoutes(history: services.history, media: media, reader: FileReader()).routes
            + AccessRoutes(identity: identity, access: services.access).routes
            + UploadRoutes(media: media).routes
            + MediaRoutes(media: media, reader: FileReader()).routes
            + SettingsRoutes(settings: services.settings, audit: services.audit, logger: logger).routes
            + PrivacyRoutes(privacy: services.privacy, access: services.access, identity: identity).routes
            + BrandRoutes(brand: services.brand, origins: configuration.origins).routes
            + ContactCentreRoutes(centre: services.centre, accounts: services.search).routes
            + SearchRoutes(
                search: services.search, routing: services.routing, audit: services.audit, centre: services.centre,
                links: identity.links, secondFactors: identity.secondFactors
            ).routes
            + [
                WhyRoute(routing: services.routing, access: services.access).route,
                TranscriptRoute(transcripts: services.transcripts).route,
                EvidenceRoute(evidence: services.evidence, reader: FileReader()).route,
                DoctorRoute(installation: services.inspected).route,
                AvailabilityRoute(identity: identity, routing: services.routing).route,
            ]
            + ProbeRoutes(readiness: services.readiness).routes
            + (services.demoSignIn.idToken.map { [DemoSignInRoute(idToken: $0).route] } ?? [])
    }

    /// The handlers of a connection: HTTP and, with a hub, WebSocket; over TLS where the server ends it itself.
    func connection(_ hub: SocketHub?, logger: Logger) -> any ServerChildChannel {
        let http = HTTPChannel(pipeline: pipeline, responder: responder.writer(logger))
        guard let hub else { return protect(http) }
        let entrance = SocketEntrance(hub: hub, answers: answers) {
            [gate] head, request, channel throws(UpgradeRequest.Refusal) in
            try gate.admit(head, request, channel)
        }
        return protect(EarshotChannel(http: http, sockets: entrance))
    }

    private func protect(_ connection: some ServerChildChannel) -> any ServerChildChannel {
        guard let certificate else { return connection }
        return TLSConnection(connection, certificate)
    }
}

extension GatewayResponder {
    /// Answers requests, with the time, as a connection needs it.
    fileprivate func writer(_ logger: Logger) -> HTTPChannelHandler.Responder {
        let clock = HTTPClock()
        return { request, writer, channel in
            let context = GatewayContext(source: ApplicationRequestContextSource(channel: channel, logger: logger))
            var response = try await respond(to: request, context: context)
            response.headers[.date] = clock.text
            try await writer.write(response: response.head, body: response.body)
        }
    }
}

extension RequestGate {
    /// Allows a request to become a socket: from a protected connection, from a page that may have one, and not while
    /// the server drains. Behind a proxy, the socket counts for its client's address until it ends.
    fileprivate func admit(_ head: HTTPRequestHead, _ request: UpgradeRequest, _ channel: any Channel)
        throws(UpgradeRequest.Refusal) -> SocketPeer
    {
        let fields = HTTPFields(head.headers, splitCookie: false)
        let peer = peers.peer(connection: channel.remoteAddress?.ipAddress, fields: fields)
        do throws(Rejection) {
            try checkProtected(peer)
            if readiness.holds(.draining) { throw Rejection.goingAway }
        } catch { throw UpgradeRequest.Refusal(status: .init(statusCode: error.code.status), rejection: error) }
        let foreign = try pages.judge(request)
        do throws(Rejection) {
            if let leave = try forwarded.enter(peer) { channel.closeFuture.whenComplete { _ in leave() } }
            return SocketPeer(address: peer.throttleName, foreignOrigin: foreign)
        } catch { throw UpgradeRequest.Refusal(status: .tooManyRequests, rejection: error) }
    }
}

extension GatewayRouter {
    /// The limits of the body that follows this head.
    func limits(_ head: HTTPRequestHead) -> BodyLimits {
        guard let method = HTTPRequest.Method(head.method.rawValue) else { return .nothing }
        return limits(method, head.uri.prefix { $0 != "?" })
    }
}
