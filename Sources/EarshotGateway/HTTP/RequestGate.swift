import EarshotCore
import EarshotModel
import HTTPTypes
import Hummingbird

/// Checks a request against its route's declaration, in this order: protected connection, origin, credentials, CSRF
/// value, permission, allowance, body. Then it runs the handler.
struct RequestGate: Sendable {
    let identity: IdentityService
    let keys: APIKeyService
    let pages: ForeignPages
    let peers: PeerRules
    let cookie: SessionCookie
    let allowances: AllowanceBook
    let readiness: Readiness
    /// Whether the listening socket was handed over: then new connections wait for the next server, and what is
    /// connected here already is still answered while this server drains.
    let isSocketInherited: Bool
    let forwarded: ForwardedLoad
    static let csrfHeader = HTTPField.Name("X-Earshot-CSRF")

    func answer(_ route: Route, _ request: Request, _ parameters: Parameters, _ query: Query, _ peer: Peer)
        async throws -> Response
    {
        if route.isGuarded {
            try checkProtected(peer)
            try checkAccepting()
            // Before anything is looked up: wrong credentials and foreign pages cost look-ups too.
            try allowances.takeAddress(.requests, peer)
        }
        try query.checkNames()
        let foreign = try pages.origin(of: request.head, for: route)
        let make = { @Sendable (caller: Caller?, foreign: String?) async throws -> CheckedRequest in
            let take = { @Sendable (allowance: Route.Allowance) throws(Rejection) in
                try allowances.take(allowance, caller: caller, peer: peer)
            }
            try allowances.takeCaller(.requests, caller)
            // A foreign page, which the handler has yet to check, must not use up its visitors' allowance: the handler
            // takes it after its check.
            if foreign == nil, let allowance = route.allowance { try take(allowance) }
            return CheckedRequest(
                head: request.head, parameters: parameters, query: query, fields: try await fields(route.body, request),
                body: request.body, peer: peer,
                foreignOrigin: foreign, take: take)
        }
        switch route.handler {
        case .anyone(let handle):
            return try await handle(make(nil, foreign))
        case .consumer(let handle):
            let token = try bearer(request.head)
            let caller = try identity.consumer(token: token)
            try await pages.check(foreign, of: caller)
            return try await handle(make(.consumer(caller), nil), token)
        case .agent(_, let handle):
            let (signedIn, cookie) = try await agent(route, request.head)
            return try await handle(make(.agent(signedIn.caller), nil), signedIn, cookie)
        case .program(let handle):
            let program = try await keys.program(key: bearer(request.head, else: .keyMissing))
            try allowances.take(program)
            return try await handle(make(nil, nil), program)
        case .caller(_, let handle):
            let caller = try await caller(route, request.head, from: foreign)
            return try await handle(make(caller, nil), caller)
        }
    }

    /// - Throws: `forbidden` for an unprotected connection: a client that bypassed the proxy, or a proxy that accepted
    ///   it without TLS.
    func checkProtected(_ peer: Peer) throws(Rejection) {
        guard peer.isProtected else { throw Rejection(.forbidden, "Connect to Earshot through its proxy, over TLS.") }
    }
}

extension RequestGate {
    /// - Throws: `unavailable` while the server drains: the next one answers in a moment.
    func checkAccepting() throws(Rejection) {
        if readiness.holds(.draining), !isSocketInherited { throw .goingAway }
    }

    /// Answers a browser that asks whether a page of another site may use the routes of a path.
    /// - Returns: `nil` for any other request.
    func preflight(_ request: Request, _ routes: [Route], _ peer: Peer) async throws -> Response? {
        guard request.method == .options else { return nil }
        try checkProtected(peer)
        try checkAccepting()
        try allowances.takeAddress(.requests, peer)
        return try await pages.preflight(request.head, routes)
    }

    private func caller(_ route: Route, _ head: HTTPRequest, from foreign: String?) async throws -> Caller {
        guard head.headerFields.contains(.authorization) else {
            return .agent(try await agent(route, head).0.caller)
        }
        let consumer = try identity.consumer(token: bearer(head))
        try await pages.check(foreign, of: consumer)
        return .consumer(consumer)
    }

    private func bearer(_ head: HTTPRequest, else refusal: Rejection = .notSignedIn) throws(Rejection) -> String {
        let values = head.headerFields[values: .authorization]
        guard values.count == 1, let value = values.first, value.lowercased().hasPrefix("bearer ") else {
            throw refusal
        }
        return String(value.dropFirst(7))
    }

    private func agent(_ route: Route, _ head: HTTPRequest) async throws -> (SignedIn, cookie: String) {
        guard let value = cookie.value(in: head.headerFields) else { throw Rejection.notSignedIn }
        let signedIn = try await identity.session(cookie: value)
        if route.changesState { try checkCSRF(signedIn, head) }
        guard route.opensBeforeSetUp || !signedIn.secondFactor.mustSetUp else {
            throw Rejection.secondFactorSetupRequired
        }
        if let permission = route.handler.permission { try signedIn.caller.require(permission) }
        return (signedIn, value)
    }

    private func checkCSRF(_ signedIn: SignedIn, _ head: HTTPRequest) throws(Rejection) {
        let given = Self.csrfHeader.map { head.headerFields[values: $0] } ?? []
        guard given.count == 1, let value = given.first, value.isSame(as: signedIn.csrf) else {
            throw Rejection(.csrf, "The header X-Earshot-CSRF is missing or wrong. Sign in again.")
        }
    }
}

extension RequestGate {
    private func fields(_ body: Route.Body, _ request: Request) async throws -> Fields {
        let (declared, limits): ([Field], BodyLimits)
        switch body {
        case .json(let fields): (declared, limits) = (fields, .json)
        case .document(let fields): (declared, limits) = (fields, .document)
        case .none, .bytes: return .none
        }
        let bytes = try await Self.collect(request, limits)
        if bytes.isEmpty, !declared.contains(where: \.isRequired) { return .none }
        let type = request.headers[.contentType]?.prefix { $0 != ";" }.lowercased()
        guard type == "application/json" else { throw Rejection(.badRequest, "The body must be application/json.") }
        return try Fields(bytes, declared: declared)
    }

    private static func collect(_ request: Request, _ limits: BodyLimits) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        for try await piece in request.body {
            guard bytes.count + piece.readableBytes <= limits.bytes else { throw HeadRules.tooLarge(limits) }
            bytes.append(contentsOf: piece.readableBytesView)
        }
        return bytes
    }
}

extension Rejection {
    fileprivate static let keyMissing = Rejection(
        .notSignedIn, "Send an API key in the header \"Authorization: Bearer KEY\".")
}

extension String {
    /// Compares in constant time, so that timing does not reveal where the difference is.
    func isSame(as other: String) -> Bool {
        let left = Array(utf8)
        let right = Array(other.utf8)
        guard left.count == right.count else { return false }
        return zip(left, right).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
