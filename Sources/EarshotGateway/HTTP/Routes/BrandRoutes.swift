import EarshotCore
import EarshotModel
import HTTPTypes
import Hummingbird

/// What consumers see of the brand, and where its apps may be embedded.
struct BrandRoutes: Sendable {
    /// Wider than what is allowed, so that a longer value is refused with its bound.
    private static let textBytes = 4096
    private static let originsBytes = 16 * 1024

    let brand: BrandService
    /// For the line that a page embeds an app with.
    let origins: OriginPolicy

    var routes: [Route] {
        let text = Field.Kind.text(bytes: Self.textBytes)
        return [
            Route(.get, "/v1/brand", .agent(.changeBrand, read)),
            Route(
                .patch, "/v1/brand",
                body: .document([
                    .optional("name", text), .optional("color", text), .optional("welcome", text),
                    .optional("logo", .text(bytes: BrandLogo.maximumText + Self.textBytes)),
                ]),
                .agent(.changeBrand, changeBrand)),
            Route(
                .patch, "/v1/apps/{app}",
                body: .document([
                    .optional("name", text), .optional("origins", .textList(bytes: Self.originsBytes)),
                    .optional("side", text), .optional("icon", text), .optional("label", text),
                ]),
                .agent(.changeBrand, changeApp)),
        ]
    }

    @Sendable private func read(_ request: CheckedRequest, _ signedIn: SignedIn, cookie: String) async throws
        -> Response
    {
        let (account, apps) = try await brand.brand(as: signedIn.caller)
        let address = origins.address(host: request.head.authority)
        return try .json(
            Answer(brand: BrandAnswer(account), apps: apps.map { AppAnswer($0, at: address) }))
    }

    @Sendable private func changeBrand(_ request: CheckedRequest, _ signedIn: SignedIn, cookie: String) async throws
        -> Response
    {
        let fields = request.fields
        let patch = BrandService.BrandPatch(
            name: fields.optionalText("name"), color: fields.optionalText("color"),
            welcome: fields.optionalText("welcome"), logo: fields.optionalText("logo"))
        return try .json(["brand": BrandAnswer(try await brand.change(patch, as: signedIn.caller))])
    }

    @Sendable private func changeApp(_ request: CheckedRequest, _ signedIn: SignedIn, cookie: String) async throws
        -> Response
    {
        let fields = request.fields
        let patch = BrandService.AppPatch(
            name: fields.optionalText("name"), origins: fields.optionalTextList("origins"),
            side: fields.optionalText("side"), icon: fields.optionalText("icon"), label: fields.optionalText("label"))
        let app = try await brand.change(patch, of: request.identifier("app"), as: signedIn.caller)
        return try .json(["app": AppAnswer(app, at: origins.address(host: request.head.authority))])
    }

    private struct Answer: Encodable {
        let brand: BrandAnswer
        let apps: [AppAnswer]
        /// The icons of launchers, as SVG paths in a square of 24.
        let icons = Dictionary(uniqueKeysWithValues: Launcher.Icon.allCases.map { ($0.rawValue, $0.shape) })
    }

    private struct BrandAnswer: Encodable {
        let id: AccountID
        let name: String
        let color: String
        let welcome: String
        /// Where it is; empty where the brand has none.
        let logo: String

        init(_ account: Account) {
            (id, name, color, welcome) = (account.id, account.name, account.color, account.welcome)
            logo = LogoRoute.path(of: account) ?? ""
        }
    }

    private struct AppAnswer: Encodable {
        let id: AppID
        let name: String
        let origins: [String]
        let side: Launcher.Side
        let icon: Launcher.Icon
        let label: String
        /// The line for the brand's pages.
        let line: String

        init(_ app: App, at address: String) {
            (id, name, origins) = (app.id, app.name, app.allowedOrigins)
            let launcher = app.shownLauncher
            (side, icon, label) = (launcher.side, launcher.icon, launcher.label)
            line = EmbedSnippet.html(address: address, account: app.account, app: app.id)
        }
    }
}
