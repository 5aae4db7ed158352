import EarshotModel
import HTTPTypes
import NIOHTTP1

/// The rules for every request's head.
enum HeadRules {
    /// - Returns: the limits of this very request.
    /// - Throws: what is wrong with it.
    static func check(_ head: HTTPRequestHead, limits: BodyLimits) throws(Rejection) -> BodyLimits {
        let hosts = head.headers["host"]
        guard hosts.count == 1, let host = hosts.first, isHost(host) else {
            throw Rejection(.badRequest, "A request needs exactly one Host header.")
        }
        guard head.method != .CONNECT else {
            throw Rejection(.methodNotAllowed, "Earshot is no proxy: CONNECT is not allowed.")
        }
        guard head.uri.hasPrefix("/"), !head.uri.contains("#") else {
            throw Rejection(.badRequest, "The request target must be a path.")
        }
        let length = head.headers["content-length"].first.map { Int($0) ?? .max }
        if let length, length > limits.bytes { throw tooLarge(limits) }
        return limits.expecting(length)
    }

    /// Whether the parser reads nothing behind this request: what follows may be another protocol.
    static func asksForUpgrade(_ head: HTTPRequestHead) -> Bool {
        head.headers.contains(name: "upgrade")
            && head.headers[canonicalForm: "connection"].contains { $0.lowercased() == "upgrade" }
    }

    static func tooLarge(_ limits: BodyLimits) -> Rejection {
        Rejection(.tooLarge, "The body is too large. At most \(limits.bytes) bytes are allowed.", limit: limits.bytes)
    }

    static let tooSlow = Rejection(.timeout, "The request took too long. Please try again.")

    /// The rejection of a request that the parser could not read.
    static func broken(_ error: any Error) -> Rejection {
        if case HTTPParserError.headerOverflow = error {
            return Rejection(
                .headersTooLarge, "The headers have at most \(HTTPHeaderLimits.listBytes) bytes.",
                limit: HTTPHeaderLimits.listBytes)
        }
        return Rejection(.badRequest, "This is not a valid HTTP request.")
    }

    /// A host name or address with or without a port.
    private static func isHost(_ host: String) -> Bool {
        !host.isEmpty && host.utf8.count <= 260
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

/// For the HTTP decoder of every connection.
enum HTTPHeaderLimits {
    /// The target and all fields together.
    static let listBytes = 16 * 1024
    static let fieldBytes = 8 * 1024
    static let fields = 64

    static var decoder: NIOHTTPDecoderLimitConfiguration {
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderListSize = listBytes
        limits.maxHeaderFieldSize = fieldBytes
        limits.maxHeaderFieldCount = fields
        return limits
    }
}
