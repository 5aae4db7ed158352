/// Where metrics are served: an address of this machine and a port.
public struct MetricsAddress: Sendable, Hashable {
    /// A loopback address, without brackets.
    public let host: String
    /// The port.
    public let port: Int

    /// Reads `127.0.0.1:9464`, `[::1]:9464` or `localhost:9464`; `nil` for anything else, and for an address that other
    /// machines can reach.
    init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"), let port = Int(text[text.index(after: colon)...]),
            (1...65_535).contains(port)
        else { return nil }
        let host = String(text[..<colon])
        guard host == "localhost" || host == "[::1]" || Self.isLoopbackIPv4(host) else { return nil }
        self.host = host == "[::1]" ? "::1" : host
        self.port = port
    }

    private static func isLoopbackIPv4(_ host: String) -> Bool {
        let parts = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
        return parts.count == 4 && parts[0] == 127 && !parts.contains(nil)
    }
}
