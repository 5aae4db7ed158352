/// Where clamd listens: `unix:/run/clamav/clamd.ctl`, or `tcp:127.0.0.1:3310` on this machine.
///
/// TCP to another machine is refused: clamd's TCP has neither a password nor encryption, so whoever sits in between reads every recording and may
/// answer `stream: OK`. A tunnel's end on this machine is fine.
public struct ScannerAddress: Hashable, Sendable, CustomStringConvertible {
    enum Place: Hashable, Sendable {
        case unix(String)
        case tcp(host: String, port: Int)
    }

    let place: Place
    /// Longest path of a unix socket, by the kernel's `sun_path`.
    static let pathBytes = 107

    /// What cannot be an address, and why, for the operator.
    public struct Fault: Error, Hashable, CustomStringConvertible {
        public let description: String
    }

    public init(_ text: String) throws(Fault) {
        if text.hasPrefix("unix:") {
            place = .unix(try Self.path(text.dropFirst("unix:".count)))
        } else if text.hasPrefix("tcp:") {
            place = try Self.tcp(text.dropFirst("tcp:".count))
        } else {
            throw Fault(description: "is unix:/path/of/clamd.ctl or tcp:127.0.0.1:3310, not \"\(text)\"")
        }
    }

    public var description: String {
        switch place {
        case .unix(let path): "unix:\(path)"
        case .tcp(let host, let port): host.contains(":") ? "tcp:[\(host)]:\(port)" : "tcp:\(host):\(port)"
        }
    }

    private static func path(_ text: Substring) throws(Fault) -> String {
        guard text.hasPrefix("/"), text.utf8.count <= pathBytes else {
            throw Fault(
                description:
                    "names a unix socket by its whole path (from /, at most \(pathBytes) bytes), not \"\(text)\"")
        }
        return String(text)
    }

    private static func tcp(_ text: Substring) throws(Fault) -> Place {
        guard let colon = text.lastIndex(of: ":"), let port = Int(text[text.index(after: colon)...]),
            (1...65_535).contains(port)
        else {
            throw Fault(description: "needs a port, like tcp:127.0.0.1:3310")
        }
        var host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
        guard host == "localhost" || host == "::1" || isLoopback(host) else {
            throw Fault(
                description:
                    "is on another machine (\(host)), but clamd's TCP has no password and no encryption. Run clamd here, or bring its port here "
                    + "through a tunnel")
        }
        return .tcp(host: String(host), port: port)
    }

    private static func isLoopback(_ host: Substring) -> Bool {
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127"
            && parts.allSatisfy { UInt8($0) != nil && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }
    }
}
