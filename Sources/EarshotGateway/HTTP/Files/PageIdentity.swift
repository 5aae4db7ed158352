import EarshotCore
import EarshotModel

/// What pages need to know about origins.
enum PageIdentity {
    /// The origins that may frame the widget of an app.
    static func framers(of app: App?) -> [String] { app?.allowedOrigins.filter(isOrigin) ?? [] }

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
