import EarshotCore
import HTTPTypes
import Hummingbird

/// One thing that this server answers. Everything that must hold for it stands here, and `GatewayResponder` holds it: a handler runs only after
/// its caller, its origin, its allowance and its body were found good. The tests walk over the same table, so no later route escapes them.
struct Route: Sendable {
    let method: HTTPRequest.Method
    let path: RoutePath
    let body: Body
    /// Whether it changes anything: then a foreign page may not ask for it, and an agent's cookie alone is not enough.
    let changesState: Bool
    let allowance: Allowance?
    /// Whether the handler itself looks at a foreign origin (an app may allow it).
    let judgesOrigin: Bool
    /// Whether a client must come over TLS, by the proxy where there is one. All but what a proxy itself asks.
    let isGuarded: Bool
    let handler: Handler

    init(
        _ method: HTTPRequest.Method, _ path: String, body: Body = .none, changesState: Bool? = nil,
        allowance: Allowance? = nil,
        judgesOrigin: Bool = false, isGuarded: Bool = true, _ handler: Handler
    ) {
        self.method = method
        self.path = RoutePath(path)
        self.body = body
        self.changesState = changesState ?? (method != .get)
        self.allowance = allowance
        self.judgesOrigin = judgesOrigin
        self.isGuarded = isGuarded
        self.handler = handler
    }
}

extension Route {
    /// Who may ask, and what answers them. A handler gets its caller as a value: none that needs one can be written without.
    enum Handler: Sendable {
        case anyone(@Sendable (CheckedRequest) async throws -> Response)
        /// A consumer by its token.
        case consumer(@Sendable (CheckedRequest, _ token: String) async throws -> Response)
        /// An agent by the session cookie.
        case agent(@Sendable (CheckedRequest, SignedIn, _ cookie: String) async throws -> Response)
        /// Either of them.
        case caller(@Sendable (CheckedRequest, Caller) async throws -> Response)

        var isOpenToAnyone: Bool {
            if case .anyone = self { true } else { false }
        }
    }

    /// What may come with the request.
    enum Body: Hashable, Sendable {
        /// Nothing at all.
        case none
        /// A JSON object with these fields. Where no field is required, no body is fine too.
        case json([Field])
        /// The same, and larger: a section of the centre.
        case document([Field])
        /// Bytes, handed to the handler as they arrive.
        case bytes(limit: Int)

        var fields: [Field] {
            switch self {
            case .json(let fields), .document(let fields): fields
            case .none, .bytes: []
            }
        }
    }

    /// What is counted, and for whom.
    enum Allowance: Hashable, Sendable, CaseIterable {
        /// New consumers, by network address.
        case newConsumers
        /// New recordings, by caller.
        case uploads
        /// Questions whether somebody is there, by network address.
        case availability
    }
}

/// A path of literal and named segments: `/v1/uploads/{upload}/finish`.
struct RoutePath: Hashable, Sendable, CustomStringConvertible {
    enum Segment: Hashable, Sendable {
        case literal(String)
        case named(String, suffix: String)
    }

    let description: String
    let segments: [Segment]

    init(_ text: String) {
        description = text
        segments = Self.split(text).map { part in
            guard part.hasPrefix("{"), let end = part.firstIndex(of: "}") else { return .literal(String(part)) }
            return .named(
                String(part[part.index(after: part.startIndex)..<end]), suffix: String(part[part.index(after: end)...]))
        }
    }

    /// The values of the named segments; `nil` where this path is another.
    func match(_ parts: [Substring]) -> [String: String]? {
        guard parts.count == segments.count else { return nil }
        var values: [String: String] = [:]
        for (segment, part) in zip(segments, parts) {
            switch segment {
            case .literal(let literal): guard part == literal else { return nil }
            case .named(let name, let suffix):
                guard part.hasSuffix(suffix), part.utf8.count > suffix.utf8.count else { return nil }
                values[name] = String(part.dropLast(suffix.count))
            }
        }
        return values
    }

    /// Splits without decoding: an id needs no percent sign, so a path that has one is no path of ours.
    static func split(_ path: some StringProtocol) -> [Substring] {
        Substring(path).dropFirst().split(separator: "/", omittingEmptySubsequences: false)
    }
}
