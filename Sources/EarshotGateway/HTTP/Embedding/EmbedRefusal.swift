import EarshotCore
import EarshotModel
import HTTPTypes

/// The reason why a page does not get the widget, in words for the person who built the page.
enum EmbedRefusal: Hashable, Sendable {
    case unknownBrand(String)
    case unknownApp(String, of: AccountID)
    case suspended(AccountID)
    /// `nil` for a page without an origin: a file, or a sandboxed frame.
    case origin(String?, AppID, of: AccountID)

    /// What was wrong and what to do, without a capital letter at the start: `Earshot: …` goes before it.
    /// - Parameter address: this server's address.
    func sentence(at address: String) -> String {
        switch self {
        case .unknownBrand(let name):
            "there is no brand \(Self.shown(name)) on \(address). "
                + "The Brand page of the workspace shows the line to copy."
        case .unknownApp(let name, let account):
            "there is no app \(Self.shown(name)) of \(account) on \(address). "
                + "The Brand page of the workspace shows the line to copy."
        case .suspended(let account):
            "the brand \(account) is suspended on \(address). To lift that, run: earshot resume brand \(account)"
        case .origin(let origin?, let app, let account):
            "origin \(origin) is not allowed for app \(app) of \(account). Allow it on the Brand page of the "
                + "workspace, or run: earshot set app \(app) --brand \(account) --add-origin \(origin)"
        case .origin(nil, let app, let account):
            "a page without an origin (a file, or a sandboxed frame) cannot show app \(app) of \(account). "
                + "Serve the page from a website."
        }
    }

    /// The code under which managers see it.
    var code: Rejection.Code {
        switch self {
        case .unknownBrand, .unknownApp: .notFound
        case .suspended: .suspended
        case .origin: .originRefused
        }
    }

    /// An untrusted text, safe in a log line and short.
    private static func shown(_ name: String) -> String {
        let safe = name.unicodeScalars.prefix(IdentifierRules.maximumLength).map { scalar in
            IdentifierRules.isWellFormed(String(scalar)) || scalar == "." ? Character(scalar) : "?"
        }
        return safe.isEmpty ? "without a name" : String(safe)
    }
}

/// The app that a page named and the origin of the page, judged.
struct JudgedEmbedding: Sendable {
    /// `nil` where the brand does not exist.
    let account: Account?
    let app: App?
    /// The App ID as the page named it.
    let name: String
    /// The origin of the page; `nil` where the browser did not tell it.
    let origin: String?
    let refusal: EmbedRefusal?
}
