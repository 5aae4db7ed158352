/// The address of a server that helps calls connect (RFC 7064, RFC 7065): `turn:relay.example:3478?transport=udp`.
struct RelayAddress: Sendable, Equatable {
    /// What the server speaks.
    enum Scheme: String, Sendable {
        case stun, stuns, turn, turns

        var isRelay: Bool { self == .turn || self == .turns }
        var isSecure: Bool { self == .stuns || self == .turns }
    }

    /// How packets come to the server.
    enum Transport: String, Sendable {
        case udp, tcp
    }

    static let mostBytes = 255

    let scheme: Scheme
    let host: String
    let port: Int
    let transport: Transport

    /// - Returns: `nil` for a text that is no such address.
    init?(_ text: String) {
        let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let named = parts[0].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard text.utf8.count <= Self.mostBytes, named.count == 2, let scheme = Scheme(rawValue: String(named[0])),
            let (host, port) = Self.hostAndPort(named[1])
        else { return nil }
        var transport = scheme.isSecure ? Transport.tcp : .udp
        if parts.count == 2 {
            guard scheme.isRelay, parts[1].hasPrefix("transport="),
                let named = Transport(rawValue: String(parts[1].dropFirst("transport=".count)))
            else { return nil }
            transport = named
        }
        (self.scheme, self.host, self.transport) = (scheme, host, transport)
        self.port = port ?? (scheme.isSecure ? 5349 : 3478)
    }

    private static func hostAndPort(_ text: Substring) -> (String, Int?)? {
        let isAddress6 = text.hasPrefix("[")
        let end = isAddress6 ? text.firstIndex(of: "]").map { text.index(after: $0) } : text.firstIndex(of: ":")
        let whole = text[..<(end ?? text.endIndex)]
        let host = isAddress6 ? whole.dropFirst().dropLast() : whole
        let allowed: (Character) -> Bool = {
            $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "." || $0 == (isAddress6 ? ":" : "-"))
        }
        guard !host.isEmpty, !isAddress6 || end != nil, host.allSatisfy(allowed) else { return nil }
        let rest = text[whole.endIndex...]
        guard !rest.isEmpty else { return (String(host), nil) }
        guard rest.hasPrefix(":"), let port = Int(rest.dropFirst()), (1...65_535).contains(port) else { return nil }
        return (String(host), port)
    }
}
