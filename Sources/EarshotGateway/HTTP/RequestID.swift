import EarshotCore
import EarshotModel
import HTTPTypes
import Logging

/// Names requests, so that an error body leads to its log lines, here and at the proxy in front.
///
/// A declared proxy may name a request with `X-Request-Id`. From anyone else the field is ignored, so that no client
/// can write into the log what it likes.
struct RequestIDs: Sendable {
    static let header = HTTPField.Name("X-Request-Id")
    /// The longest id that is taken from a proxy.
    static let maximumLength = 64

    let peers: PeerRules
    private let random: @Sendable (Int) -> [UInt8]

    init(peers: PeerRules, environment: SystemEnvironment) {
        self.peers = peers
        random = environment.random
    }

    /// A new id.
    func make() -> String { Base64URL.encode(random(9)) }

    /// The id of a request: the proxy's where it is well-formed, else a new one.
    /// - Parameter connection: the address at the other end of the TCP connection.
    func id(of fields: HTTPFields, connection: String?) -> String {
        guard let name = Self.header, peers.isProxy(connection), case let given = fields[values: name],
            given.count == 1, let id = given.first, Self.isWellFormed(id)
        else { return make() }
        return id
    }

    /// Letters, digits, `.`, `_` and `-`: safe in a log line of any format.
    private static func isWellFormed(_ id: String) -> Bool {
        (1...maximumLength).contains(id.utf8.count)
            && id.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"),
                    UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }
}
