import EarshotCore
import EarshotModel
import HTTPTypes

/// Judges pages that embed the widget.
///
/// What a page says of its origin decides only what its visitor is told. Who may show the widget, the browser enforces
/// by `frame-ancestors`, and the API by the header `Origin`: a false origin gains nothing.
struct Embedding: Sendable {
    /// The longest origin that is looked at: the longest host name, with scheme and port.
    static let originBytes = 270
    private static let destination = HTTPField.Name("Sec-Fetch-Dest")

    let identity: IdentityService
    let brand: BrandService
    let origins: OriginPolicy
    let records: EmbedRecords

    /// Judges the request for an app's script.
    func judgeScript(_ account: String, _ app: String, _ head: HTTPRequest) async throws -> JudgedEmbedding {
        try await judge(account, app, origin: Self.referrer(head), part: .script, head)
    }

    /// Judges the request for the widget's page.
    /// - Returns: `nil` where the request names no app.
    func judgeWidget(_ query: Query, _ head: HTTPRequest) async throws -> JudgedEmbedding? {
        guard let account = try query.text("account"), let app = try query.text("app") else { return nil }
        // A link to the widget is no embedding, whichever site it is on.
        let isFrame = Self.destination.map { head.headerFields[$0] } == "iframe"
        let origin = try query.text("from") ?? (isFrame ? Self.referrer(head) : nil)
        return try await judge(account, app, origin: origin, part: .widget, head)
    }

    private func judge(
        _ account: String, _ app: String, origin given: String?, part: EmbedRecords.Load.Part, _ head: HTTPRequest
    ) async throws -> JudgedEmbedding {
        let isOrigin = given.map { $0.utf8.count <= Self.originBytes && PageIdentity.isOrigin($0) } ?? true
        let origin = isOrigin ? given : nil
        let found: (account: Account?, app: App?) =
            if let account = AccountID(account) {
                try await brand.embedding(of: AppID(app) ?? AppID(trusted: ""), in: account)
            } else { (nil, nil) }
        var refusal: EmbedRefusal?
        if let brand = found.account, let app = found.app {
            let isOwn = given == nil || (origin.map { origins.isOwn($0, host: head.authority) } ?? false)
            do {
                _ = try await identity.app(app.id, of: brand.id, from: isOwn ? nil : origin ?? "null")
            } catch let rejection as Rejection {
                refusal = rejection.code == .suspended ? .suspended(brand.id) : .origin(origin, app.id, of: brand.id)
            }
        } else {
            refusal = found.account.map { .unknownApp(app, of: $0.id) } ?? .unknownBrand(account)
        }
        if let refusal { records.log(refusal, at: origins.address(host: head.authority)) }
        if let brand = found.account, let origin {
            let name = String(app.unicodeScalars.prefix(IdentifierRules.maximumLength))
            records.note(.init(app: name, origin: origin, part: part, refusal: refusal), of: brand.id)
        }
        return JudgedEmbedding(
            account: found.account, app: found.app, name: app, origin: origin, refusal: refusal)
    }

    /// The origin of the page that a request comes from, where the browser tells it.
    private static func referrer(_ head: HTTPRequest) -> String? {
        guard let address = head.headerFields[.referer], let start = address.firstRange(of: "://")?.upperBound else {
            return nil
        }
        return String(address[..<start] + address[start...].prefix { !"/?#".contains($0) })
    }
}
