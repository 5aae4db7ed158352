import EarshotCore
import EarshotDomain
import EarshotModel
import HTTPTypes
import Hummingbird

/// Registration and return of anonymous consumers, and sign-in of those whom a brand's identity provider knows.
struct ConsumerRoutes: Sendable {
    private static let languageBytes = 64
    private static let idTokenBytes = 16 * 1024
    private static let deviceBytes = 360
    /// A time zone that this server does not know is accepted: browsers learn about zones before servers do.
    private static let zone = Field.optional("zone", .text(bytes: Zone.bytes))

    let identity: IdentityService
    let settings: SettingsService

    var routes: [Route] {
        let arrival: [Field] = [
            .required("account", .identifier), .required("app", .identifier),
            .optional("page", .text(bytes: PageAddress.bytes)),
            .optional("pageParameters", .texts(bytes: PageAddress.bytes)),
            .optional("language", .text(bytes: Self.languageBytes)), Self.zone,
        ]
        return [
            Route(
                .post, "/v1/consumers", body: .json(arrival), allowance: .newConsumers, judgesOrigin: true,
                .anyone(begin)),
            Route(
                .post, "/v1/consumers/sign-in",
                body: .document(
                    arrival + [
                        .required("idToken", .text(bytes: Self.idTokenBytes)),
                        .optional("device", .text(bytes: Self.deviceBytes)),
                    ]),
                allowance: .consumerSignIns, judgesOrigin: true, .anyone(signIn)),
            Route(.post, "/v1/consumers/me", body: .json([Self.zone]), .consumer(comeBack)),
        ]
    }

    @Sendable private func begin(_ request: CheckedRequest) async throws -> Response {
        try .json(
            try await answer(try await identity.welcome(arrival(request, .newConsumers))), status: .created)
    }

    @Sendable private func signIn(_ request: CheckedRequest) async throws -> Response {
        let welcome = try await identity.consumerSignIn.signIn(
            .init(
                try await arrival(request, .consumerSignIns), idToken: request.fields.text("idToken"),
                device: request.fields.optionalText("device"), address: request.peer.throttleName))
        return try .json(try await answer(welcome))
    }

    /// What the page says about the consumer, if it may embed the app.
    private func arrival(_ request: CheckedRequest, _ allowance: Route.Allowance) async throws
        -> IdentityService.Arrival
    {
        let account: AccountID = request.fields.identifier("account")
        let app = try await identity.app(request.fields.identifier("app"), of: account, from: request.foreignOrigin)
        if request.foreignOrigin != nil { try request.take(allowance) }
        return .init(
            account: account, app: app.id, page: try Self.page(request.fields),
            language: request.fields.optionalText("language").flatMap(Self.language),
            device: Device.describe(userAgent: request.head.headerFields[.userAgent]),
            zone: request.fields.optionalText("zone"))
    }

    @Sendable private func comeBack(_ request: CheckedRequest, token: String) async throws -> Response {
        try .json(
            try await answer(try await identity.welcomeBack(token: token, zone: request.fields.optionalText("zone"))))
    }

    private func answer(_ welcome: ConsumerWelcome) async throws -> Answer {
        let settings = try await settings.settings(of: welcome.account.id).view(for: .consumer, on: .web)
        return Answer(welcome, settings, by: identity)
    }

    private static func page(_ fields: Fields) throws(Rejection) -> String? {
        try PageAddress(
            fields.optionalText("page") ?? "", parameters: fields.optionalTexts("pageParameters") ?? [:])?.text
    }

    /// A language tag as browsers send it (RFC 5646), or `nil`.
    private static func language(_ text: String) -> String? {
        !text.isEmpty
            && text.utf8.allSatisfy { $0 == UInt8(ascii: "-") || Character(Unicode.Scalar($0)).isLetterOrDigit }
            ? text : nil
    }
}

extension Character {
    fileprivate var isLetterOrDigit: Bool { isASCII && (isLetter || isNumber) }
}

extension ConsumerRoutes {
    private struct Answer: Encodable {
        let token: String
        let consumer: ConsumerID
        let conversation: ConversationID
        /// For a signed-in consumer: the seconds after which the token ends. A device's clock may be wrong, so it is no
        /// time.
        let expiresIn: Int64?
        let brand: Brand
        let limits: LimitsAnswer
        let settings: SettingsView

        init(_ welcome: ConsumerWelcome, _ settings: SettingsView, by identity: IdentityService) {
            token = welcome.token
            consumer = welcome.consumer
            conversation = welcome.conversation
            expiresIn = welcome.signedInUntil.map { identity.timeLeft(until: $0) / 1000 }
            brand = Brand(welcome.account)
            limits = LimitsAnswer(settings)
            self.settings = settings
        }
    }

    private struct Brand: Encodable {
        let name: String
        let color: String
        let welcome: String
        /// Where the logo is; absent where the brand has none.
        let logo: String?

        init(_ account: Account) {
            (name, color, welcome) = (account.name, account.color, account.welcome)
            logo = LogoRoute.path(of: account)
        }
    }
}

/// The limits that a client checks before it sends; the server checks them again.
struct LimitsAnswer: Encodable {
    let text: Int
    let audioMs: Int
    let audioBytes: Int

    init(_ settings: SettingsView) {
        text = Limits.webTextScalars
        audioMs = settings.audio.limitMs
        audioBytes = Limits.audioBytes
    }
}
