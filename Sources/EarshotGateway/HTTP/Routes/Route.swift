import EarshotCore
import EarshotModel
import HTTPTypes
import Hummingbird

/// One route of the HTTP API. It declares everything that a request must fulfil, and `RequestGate` checks it: a handler
/// runs only after its caller, its origin, its allowance and its body were checked. The tests go through the same
/// routes, so no new route escapes them.
struct Route: Sendable {
    let method: HTTPRequest.Method
    /// Literal and named segments, as Hummingbird writes them: `/v1/uploads/{upload}/finish`.
    let path: String
    let body: Body
    /// Whether it changes anything: then only pages of our own and of origins that the consumer's app allows may
    /// request it, and an agent also sends the CSRF value.
    let changesState: Bool
    /// What its requests are counted as, besides `requests`, which all but unguarded routes are.
    let allowance: Allowance?
    /// Whether the handler, which learns the app from the request, checks a foreign origin. For a consumer's token the
    /// gate does.
    let judgesOrigin: Bool
    /// Whether a person of a brand that requires a second factor may use it before they have one.
    let opensBeforeSetUp: Bool
    /// Whether a client must come over TLS, through the proxy where there is one. `false` only for what a proxy itself
    /// requests.
    let isGuarded: Bool
    let handler: Handler

    /// Whether pages of other sites may use it, those that the consumer's app allows: all that a consumer may do, and
    /// nothing of an agent's.
    var isForForeignPages: Bool {
        switch handler {
        case .anyone: judgesOrigin
        case .consumer, .caller: true
        case .agent, .program: false
        }
    }

    init(
        _ method: HTTPRequest.Method, _ path: String, body: Body = .none, changesState: Bool? = nil,
        allowance: Allowance? = nil,
        judgesOrigin: Bool = false, opensBeforeSetUp: Bool = false, isGuarded: Bool = true, _ handler: Handler
    ) {
        self.method = method
        self.path = path
        self.body = body
        self.changesState = changesState ?? (method != .get)
        self.allowance = allowance
        self.judgesOrigin = judgesOrigin
        self.opensBeforeSetUp = opensBeforeSetUp
        self.isGuarded = isGuarded
        self.handler = handler
    }
}

extension Route {
    /// Who may send the request, and what answers it. A handler gets its caller as a value, so no handler that needs
    /// one can run without it.
    enum Handler: Sendable {
        case anyone(@Sendable (CheckedRequest) async throws -> Response)
        /// A consumer by its token.
        case consumer(@Sendable (CheckedRequest, _ token: String) async throws -> Response)
        /// A person of the brand by the session cookie, who has the permission; `nil`: everyone who is signed in.
        case agent(Permission?, @Sendable (CheckedRequest, SignedIn, _ cookie: String) async throws -> Response)
        /// A program by its API key. What the key allows, the core checks.
        case program(@Sendable (CheckedRequest, ProgramCaller) async throws -> Response)
        /// A consumer, or a person of the brand who has the permission.
        case caller(Permission?, @Sendable (CheckedRequest, Caller) async throws -> Response)

        /// What a person of the brand needs; `nil`: nothing, or no such person uses the route.
        var permission: Permission? {
            switch self {
            case .agent(let permission, _), .caller(let permission, _): permission
            case .anyone, .consumer, .program: nil
            }
        }

        var isOpenToAnyone: Bool {
            if case .anyone = self { true } else { false }
        }
    }

    /// What the request may bring.
    enum Body: Hashable, Sendable {
        /// Nothing.
        case none
        /// A JSON object with these fields. Where no field is required, the body may be empty.
        case json([Field])
        /// A larger JSON object: a section of the contact-centre settings.
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

    /// What is rate limited, and for whom.
    enum Allowance: Hashable, Sendable, CaseIterable {
        /// New consumers, by network address.
        case newConsumers
        /// ID tokens of consumers, by network address.
        case consumerSignIns
        /// New recordings, by caller and network address.
        case uploads
        /// Availability requests, by network address.
        case availability
        /// Downloads of recordings as files, by caller and network address.
        case downloads
        /// All requests to guarded routes, by caller and network address.
        case requests
    }
}
