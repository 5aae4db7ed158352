public import EarshotModel

/// A brand: the account that agents, apps, consumers and conversations belong to.
public struct Account: Hashable, Codable, Sendable {
    /// The brand's id, which an operator chooses.
    public let id: AccountID
    /// The brand's name, as consumers see it.
    public var name: String
    /// The widget's colour, `#rrggbb`.
    public var color: String
    /// The greeting for a consumer who opens the widget for the first time.
    public var welcome: String
    /// The longest voice message in milliseconds, within `Limits.audioDurationMs`.
    public var audioLimitMs: Int
    /// The version of the brand's logo (`BrandLogo.version`); `nil` where it has none.
    public var logo: String?

    /// Creates an account.
    public init(id: AccountID, name: String, color: String, welcome: String, audioLimitMs: Int) {
        self.id = id
        self.name = name
        self.color = color
        self.welcome = welcome
        self.audioLimitMs = audioLimitMs
    }
}

/// One site or app of a brand.
public struct App: Hashable, Codable, Sendable {
    /// The app's id, unique in its account.
    public let id: AppID
    /// The brand that the app belongs to.
    public let account: AccountID
    /// The brand's name for the app.
    public var name: String
    /// Origins (`https://shop.example`) whose pages may embed the widget and start conversations.
    public var allowedOrigins: [String]
    /// How the launcher looks on those pages; `nil` where nobody changed it.
    public var launcher: Launcher?

    /// Creates an app.
    public init(
        id: AppID, account: AccountID, name: String, allowedOrigins: [String], launcher: Launcher? = nil
    ) {
        self.id = id
        self.account = account
        self.name = name
        self.allowedOrigins = allowedOrigins
        self.launcher = launcher
    }
}
