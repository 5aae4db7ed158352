/// Where clamd listens: `unix:/run/clamav/clamd.ctl`, or `tcp:127.0.0.1:3310` on this machine.
///
/// TCP to another machine is refused: clamd's TCP has neither authentication nor encryption, so anyone on the network
/// path could read every recording and answer `stream: OK`. The local end of a tunnel is fine.
public struct ScannerAddress: Hashable, Sendable, CustomStringConvertible {
    enum Place: Hashable, Sendable {
        case unix(String)
        case tcp(host: String, port: Int)
    }

    let place: Place
    /// The longest path of a Unix socket, limited by the kernel's `sun_path`.
    static let pathBytes = 107

    /// Why a text is not an address, for the operator.
    public struct Fault: Error, Hashable, CustomStringConvertible {
        /// Continues the sentence that begins with the name of the setting.
        public let description: String
    }

    /// Reads an address of the form `unix:PATH` or `tcp:HOST:PORT`.
    public init(_ text: String) throws(Fault) {
        if text.hasPrefix("unix:") {
            place = .unix(try Self.path(text.dropFirst("unix:".count)))
        } else if text.hasPrefix("tcp:") {
            place = try Self.tcp(text.dropFirst("tcp:".count))
        } else {
            throw Fault(description: "must be unix:/path/of/clamd.ctl or tcp:127.0.0.1:3310, not \"\(text)\"")
        }
    }

    /// The address as it is written in the configuration.
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
                    "must name a Unix socket by its absolute path (at most \(pathBytes) bytes), not \"\(text)\"")
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
                    "is on another machine (\(host)), but clamd's TCP has no authentication and no encryption. "
                    + "Run clamd on this machine, or forward its port here through a tunnel")
        }
        return .tcp(host: String(host), port: port)
    }

    private static func isLoopback(_ host: Substring) -> Bool {
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127"
            && parts.allSatisfy { UInt8($0) != nil && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }
    }
}
