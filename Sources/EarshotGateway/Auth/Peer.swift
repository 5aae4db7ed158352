import HTTPTypes

/// The other end of a connection, and whether the connection is protected from eavesdropping.
struct Peer: Hashable, Sendable {
    /// The client's address, for limits. Not for the log.
    let address: NetworkAddress?
    /// TLS all the way, or loopback.
    let isProtected: Bool
    /// A declared proxy named the address; the connection is shared with other clients.
    var isForwarded = false
    /// A declared proxy sent a client's request without naming the client.
    var isUnnamed = false
    /// What the forwarding headers said.
    var forwarding = Forwarding.direct

    var throttleName: String { address?.throttleName ?? "unknown" }
}

/// Determines the peer of a request. `X-Forwarded-For` counts only where a declared proxy passes it on.
struct PeerRules: Sendable {
    /// Proxies whose forwarding headers count; empty where there is none.
    private let proxies: [NetworkRange]
    private static let forwardedFor = HTTPField.Name("X-Forwarded-For")
    private static let forwardedProto = HTTPField.Name("X-Forwarded-Proto")

    init(proxies: [NetworkRange]) {
        self.proxies = proxies
    }

    /// - Parameter connection: the address at the other end of the TCP connection.
    func peer(connection: String?, fields: HTTPFields) -> Peer {
        let direct = connection.flatMap { NetworkAddress($0) }
        guard !proxies.isEmpty else { return Peer(address: direct, isProtected: true) }
        guard let direct, isProxy(direct) else {
            return Peer(address: direct, isProtected: false, forwarding: .unknownProxy)
        }
        let (client, forwarding) = forwarded(fields)
        // A health check of the proxy itself has none of the headers.
        let isProtected = isHTTPS(fields)
        return Peer(
            address: client ?? direct, isProtected: isProtected, isForwarded: client != nil,
            isUnnamed: client == nil && isProtected, forwarding: forwarding)
    }

    /// The last address of the list that is not a declared proxy: its sender may have invented those before it.
    private func forwarded(_ fields: HTTPFields) -> (NetworkAddress?, Forwarding) {
        guard let name = Self.forwardedFor else { return (nil, .missing) }
        let hops = fields[values: name].flatMap { $0.split(separator: ",") }
        for hop in hops.reversed() {
            guard let address = NetworkAddress(hop: hop) else { return (nil, .unreadable) }
            if !isProxy(address) { return (address, .used) }
        }
        // A request from the proxy's own machine: the doctor's, for example.
        return (nil, hops.isEmpty ? .missing : .used)
    }

    private func isHTTPS(_ fields: HTTPFields) -> Bool {
        guard let name = Self.forwardedProto else { return false }
        return fields[values: name] == ["https"]
    }

    /// Whether a declared proxy is at the other end of the TCP connection.
    func isProxy(_ connection: String?) -> Bool {
        connection.flatMap { NetworkAddress($0) }.map(isProxy) ?? false
    }

    private func isProxy(_ address: NetworkAddress) -> Bool {
        proxies.contains { $0.contains(address) }
    }
}
