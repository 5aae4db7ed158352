import Glibc

/// An IP address as its 4 or 16 bytes. An IPv4-mapped IPv6 address (`::ffff:10.0.0.1`) is the IPv4 address.
struct NetworkAddress: Hashable, Sendable {
    let bytes: [UInt8]

    init?(_ text: some StringProtocol) {
        let text = String(text)
        if let bytes = Self.parse(text, family: AF_INET, count: 4) {
            self.bytes = bytes
        } else if let bytes = Self.parse(text, family: AF_INET6, count: 16) {
            let isMapped = bytes.prefix(10).allSatisfy { $0 == 0 } && bytes[10] == 0xff && bytes[11] == 0xff
            self.bytes = isMapped ? Array(bytes.suffix(4)) : bytes
        } else {
            return nil
        }
    }

    /// An entry of `X-Forwarded-For`. Some proxies write the port too: `192.0.2.1:5678`, `[2001:db8::1]:5678`.
    init?(hop: some StringProtocol) {
        let text = String(hop.filter { $0 != " " })
        if text.hasPrefix("[") {
            let parts = text.dropFirst().split(separator: "]", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, parts[1].isEmpty || Self.isPort(parts[1]) else { return nil }
            self.init(parts[0])
        } else if let colon = text.firstIndex(of: ":"), text[..<colon].contains(".") {
            guard Self.isPort(text[colon...]) else { return nil }
            self.init(text[..<colon])
        } else {
            self.init(text)
        }
    }

    /// Whether the address is one of this machine, which others cannot reach.
    var isLoopback: Bool {
        bytes.count == 4 ? bytes[0] == 127 : bytes == [UInt8](repeating: 0, count: 15) + [1]
    }

    /// Whether a text is a colon and a port number.
    private static func isPort(_ text: some StringProtocol) -> Bool {
        text.first == ":" && text.dropFirst().allSatisfy(\.isNumber) && UInt16(text.dropFirst()) != nil
    }

    /// The key for rate limits, and what the audit log shows: an IPv4 address, or the /64 that one IPv6 subscriber has.
    var throttleName: String {
        let isShort = bytes.count == 4
        let counted = isShort ? bytes : bytes.prefix(8) + [UInt8](repeating: 0, count: 8)
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        inet_ntop(isShort ? AF_INET : AF_INET6, counted, &text, socklen_t(text.count))
        let shown = text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
        return String(decoding: shown, as: UTF8.self) + (isShort ? "" : "/64")
    }

    private static func parse(_ text: String, family: Int32, count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        return inet_pton(family, text, &bytes) == 1 ? bytes : nil
    }
}

/// A block of addresses: `10.0.0.0/8`, or one address.
struct NetworkRange: Hashable, Sendable {
    private let base: NetworkAddress
    private let prefix: Int

    init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count <= 2, let base = NetworkAddress(parts[0]) else { return nil }
        let bits = base.bytes.count * 8
        guard let prefix = parts.count == 2 ? Int(parts[1]) : bits, (0...bits).contains(prefix) else { return nil }
        self.base = base
        self.prefix = prefix
    }

    func contains(_ address: NetworkAddress) -> Bool {
        guard address.bytes.count == base.bytes.count else { return false }
        return (0..<prefix).allSatisfy { bit in
            (address.bytes[bit / 8] ^ base.bytes[bit / 8]) & (0x80 >> UInt8(bit % 8)) == 0
        }
    }
}
