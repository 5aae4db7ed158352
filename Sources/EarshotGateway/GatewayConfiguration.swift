public import EarshotDomain

/// How the gateway is reached, and what it allows.
public struct GatewayConfiguration: Sendable {
    /// Address to listen on.
    public var host: String
    /// 0 lets the system choose.
    public var port: Int
    public var security: Security
    /// What browsers call this server (`https://chat.example`). Empty: what their `Host` header says.
    public var publicOrigins: [String]
    /// Folder with the built web pages; `nil`: none are served.
    public var pages: String?
    public var allowances: Allowances
    /// Connections at a time; more wait in the system's queue.
    public var maximumConnections: Int
    /// Not for operators: tests on a busy machine are not about time.
    var deadlines = ConnectionDeadlines()

    /// How nobody between a client and us can read along.
    public enum Security: Hashable, Sendable {
        /// Plain HTTP, for clients on this very machine.
        case loopback
        /// TLS by these PEM files.
        case tls(certificate: String, key: String)
        /// Plain HTTP from these reverse proxies (addresses or blocks), which end TLS and say so.
        case proxied(by: [String])

        var isSecure: Bool { self != .loopback }
    }

    /// What is counted: by network address, or by caller.
    public struct Allowances: Hashable, Sendable {
        public var newConsumers: LeakyBucket.Rule
        public var uploads: LeakyBucket.Rule
        public var availability: LeakyBucket.Rule

        public init(
            newConsumers: LeakyBucket.Rule = .init(burst: 5, refillMs: 30_000),
            uploads: LeakyBucket.Rule = .init(burst: 20, refillMs: 3_000),
            availability: LeakyBucket.Rule = .init(burst: 60, refillMs: 1_000)
        ) {
            self.newConsumers = newConsumers
            self.uploads = uploads
            self.availability = availability
        }
    }

    public init(
        host: String, port: Int, security: Security, publicOrigins: [String] = [], pages: String? = nil,
        allowances: Allowances = Allowances(),
        maximumConnections: Int = 16_000
    ) {
        self.host = host
        self.port = port
        self.security = security
        self.publicOrigins = publicOrigins
        self.pages = pages
        self.allowances = allowances
        self.maximumConnections = maximumConnections
    }
}

/// Why the gateway does not start. For the operator.
public struct GatewayFault: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String

    public init(_ description: String) {
        self.description = description
    }
}

extension GatewayConfiguration {
    /// - Throws: `GatewayFault` where others could read along.
    func proxies() throws(GatewayFault) -> [NetworkRange] {
        switch security {
        case .tls: return []
        case .loopback:
            guard isLoopback else {
                throw GatewayFault(
                    "\(host) can be reached by others, and there is no TLS. Give a certificate and key, or name the proxy that ends TLS."
                )
            }
            return []
        case .proxied(let proxies):
            guard !proxies.isEmpty else { throw GatewayFault("Behind a proxy, and no proxy is named.") }
            var ranges: [NetworkRange] = []
            for proxy in proxies {
                guard let range = NetworkRange(proxy) else {
                    throw GatewayFault("\"\(proxy)\" is no address and no block of addresses.")
                }
                ranges.append(range)
            }
            return ranges
        }
    }

    var origins: OriginPolicy {
        if !publicOrigins.isEmpty { return .named(publicOrigins) }
        return security.isSecure ? .secureHost : .loopback
    }

    private var isLoopback: Bool {
        if host == "localhost" { return true }
        guard let address = NetworkAddress(host) else { return false }
        return address.bytes.count == 4
            ? address.bytes[0] == 127 : address.bytes == [UInt8](repeating: 0, count: 15) + [1]
    }
}
