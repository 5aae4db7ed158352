/// Decides which origins are our own, so that a foreign page cannot make a browser act for its user (CSRF, cross-site
/// WebSocket hijacking).
struct OriginPolicy: Sendable {
    private enum Mode: Sendable {
        case named(Set<String>)
        case likeHost(secure: Bool)
    }

    private let mode: Mode

    /// Exactly these, as a browser spells them: `https://chat.example`, no slash at the end.
    static func named(_ origins: [String]) -> OriginPolicy {
        OriginPolicy(mode: .named(Set(origins.map { $0.lowercased() })))
    }

    /// The name in the `Host` header: over TLS, a browser loads a page only by a name that our certificate has.
    static let secureHost = OriginPolicy(mode: .likeHost(secure: true))

    /// A server on plain loopback: the name in the `Host` header, as long as it is a name of this machine. Any other
    /// name means that a foreign domain points to 127.0.0.1 (DNS rebinding).
    static let loopback = OriginPolicy(mode: .likeHost(secure: false))

    /// Whether a request with this `Origin` comes from a page that we served.
    func isOwn(_ origin: String, host: String?) -> Bool {
        switch mode {
        case .named(let origins): origins.contains(origin)
        case .likeHost(let secure):
            scheme("http", secure) + (host ?? "") == origin && (secure || Self.isLoopback(host: host ?? ""))
        }
    }

    /// The address under which this request reached us, as a browser writes it, for texts that name the server.
    func address(host: String?) -> String {
        switch mode {
        case .named(let origins):
            let here = origins.sorted().filter { $0.hasSuffix("://" + (host ?? "")) }
            return here.first ?? origins.sorted().first ?? ""
        case .likeHost(let secure): return scheme("http", secure) + (host ?? "")
        }
    }

    /// Our own WebSocket addresses, for `connect-src`.
    func webSocketSources(host: String?) -> [String] {
        switch mode {
        case .named(let origins): return origins.sorted().map { "ws" + $0.dropFirst(4) }
        case .likeHost(let secure):
            guard let host, secure || Self.isLoopback(host: host) else { return [] }
            return [scheme("ws", secure) + host]
        }
    }

    private func scheme(_ name: String, _ secure: Bool) -> String { name + (secure ? "s://" : "://") }

    /// Whether this `Host` names this machine itself, whatever the port.
    static func isLoopback(host: String) -> Bool {
        let name = host.hasPrefix("[") ? host.prefix { $0 != "]" } + "]" : host.prefix { $0 != ":" }
        guard host.dropFirst(name.count).allSatisfy({ $0 == ":" || $0.isNumber }) else { return false }
        return name == "localhost" || name.hasSuffix(".localhost") || name == "127.0.0.1" || name == "[::1]"
    }
}
