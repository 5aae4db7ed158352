import EarshotCore
import EarshotModel

/// What a request shows of who sends it.
enum Credentials: Sendable {
    case none
    case consumer(String)
    /// An API key.
    case program(String)
    case agent(SignedInAgent)
    /// A cookie without what a page of ours would add.
    case cookieOnly(SignedInAgent)

    var headers: [(String, String)] {
        switch self {
        case .none: []
        case .consumer(let token), .program(let token): [("authorization", "Bearer \(token)")]
        case .agent(let agent): [("cookie", "earshot=\(agent.cookie)"), ("x-earshot-csrf", agent.csrf)]
        case .cookieOnly(let agent): [("cookie", "earshot=\(agent.cookie)")]
        }
    }
}

extension TestGateway {
    /// Asks once, on a connection of its own.
    /// - Parameter origin: `nil` sends none; without it our own.
    func ask(
        _ method: String, _ path: String, as credentials: Credentials = .none, origin: String?,
        headers: [(String, String)] = [],
        body: [UInt8]? = nil
    ) async throws -> Reply {
        var lines = ["\(method) \(path) HTTP/1.1", "host: localhost:\(port)", "connection: close"]
        if let origin { lines.append("origin: \(origin)") }
        lines += (credentials.headers + headers).map { "\($0.0): \($0.1)" }
        if let body { lines.append("content-length: \(body.count)") }
        return try Reply(
            try await Wire.exchange(port, Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + (body ?? [])))
    }

    func ask(
        _ method: String, _ path: String, as credentials: Credentials = .none, headers: [(String, String)] = [],
        body: [UInt8]? = nil
    ) async throws -> Reply {
        try await ask(method, path, as: credentials, origin: origin, headers: headers, body: body)
    }

    /// Asks with a JSON body.
    func send(_ method: String, _ path: String, as credentials: Credentials = .none, _ json: String) async throws
        -> Reply
    {
        try await ask(
            method, path, as: credentials, headers: [("content-type", "application/json")], body: Array(json.utf8))
    }
}
