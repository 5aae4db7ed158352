import EarshotCore
import EarshotDomain
import EarshotModel
import HTTPTypes
import Hummingbird

/// Registration and return of anonymous consumers.
struct ConsumerRoutes: Sendable {
    private static let pageBytes = 2048
    private static let languageBytes = 64
    /// A time zone that this server does not know is accepted: browsers learn about zones before servers do.
    private static let zone = Field.optional("zone", .text(bytes: Zone.bytes))

    let identity: IdentityService
    let settings: SettingsService

    var routes: [Route] {
        [
            Route(
                .post, "/v1/consumers",
                body: .json([
                    .required("account", .identifier), .required("app", .identifier),
                    .optional("page", .text(bytes: Self.pageBytes)),
                    .optional("language", .text(bytes: Self.languageBytes)), Self.zone,
                ]),
                allowance: .newConsumers, judgesOrigin: true, .anyone(begin)),
            Route(.post, "/v1/consumers/me", body: .json([Self.zone]), .consumer(comeBack)),
        ]
    }

    @Sendable private func begin(_ request: CheckedRequest) async throws -> Response {
        let account: AccountID = request.fields.identifier("account")
        let app = try await identity.app(request.fields.identifier("app"), of: account, from: request.foreignOrigin)
        if request.foreignOrigin != nil { try request.take(.newConsumers) }
        let welcome = try await identity.welcome(
            .init(
                account: account, app: app.id, page: request.fields.optionalText("page").flatMap(Self.page),
                language: request.fields.optionalText("language").flatMap(Self.language),
                device: Device.describe(userAgent: request.head.headerFields[.userAgent]),
                zone: request.fields.optionalText("zone")))
        return try .json(try await answer(welcome), status: .created)
    }

    @Sendable private func comeBack(_ request: CheckedRequest, token: String) async throws -> Response {
        try .json(
            try await answer(try await identity.welcomeBack(token: token, zone: request.fields.optionalText("zone"))))
    }

    private func answer(_ welcome: ConsumerWelcome) async throws -> Answer {
        let settings = try await settings.settings(of: welcome.account.id).view(for: .consumer, on: .web)
        return Answer(welcome, settings)
    }

    /// The page's address where it is a web address, because agents click on it.
    private static func page(_ text: String) -> String? {
        text.hasPrefix("https://") || text.hasPrefix("http://") ? text : nil
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
        let brand: Brand
        let limits: LimitsAnswer
        let settings: SettingsView

        init(_ welcome: ConsumerWelcome, _ settings: SettingsView) {
            token = welcome.token
            consumer = welcome.consumer
            conversation = welcome.conversation
            brand = Brand(name: welcome.account.name, color: welcome.account.color, welcome: welcome.account.welcome)
            limits = LimitsAnswer(settings)
            self.settings = settings
        }
    }

    private struct Brand: Encodable {
        let name: String
        let color: String
        let welcome: String
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
