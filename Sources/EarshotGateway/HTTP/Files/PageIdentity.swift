import EarshotCore
import EarshotModel

/// What pages need to know about accounts and our own origins.
struct PageIdentity: Sendable {
    let identity: IdentityService
    let origins: OriginPolicy

    /// The origins that may frame the widget of the app that the query names. For an unknown app: only our own.
    func framers(_ query: Query) async throws -> [String] {
        guard let account = query["account"].flatMap({ AccountID($0) }), let app = query["app"].flatMap({ AppID($0) })
        else { return [] }
        do {
            return try await identity.app(app, of: account, from: nil).allowedOrigins.filter(Self.isOrigin)
        } catch is Rejection {
            return []
        }
    }

    /// Whether a text is an origin, with nothing that could end the directive and begin another.
    static func isOrigin(_ text: String) -> Bool {
        let host = text.hasPrefix("https://") ? text.dropFirst(8) : text.hasPrefix("http://") ? text.dropFirst(7) : ""
        return !host.isEmpty
            && host.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"),
                    UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: ":"), UInt8(ascii: "["),
                    UInt8(ascii: "]"):
                    true
                default: false
                }
            }
    }
}
