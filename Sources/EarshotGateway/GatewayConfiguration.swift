public import EarshotDomain

/// The gateway's addresses, protection and limits.
public struct GatewayConfiguration: Sendable {
    /// Address to listen on.
    public var host: String
    /// 0 lets the system choose.
    public var port: Int
    /// How connections are protected.
    public var security: Security
    /// The origins of this server as browsers write them (`https://chat.example`). Empty: the name in the `Host`
    /// header.
    public var publicOrigins: [String]
    /// Folder with the built web pages; `nil` where none are served.
    public var pages: String?
    /// Whether the demo shop is served, and a page at `/` that leads to it. In production `/` leads to the workspace.
    public var servesDemo = false
    /// Rate limits of HTTP routes.
    public var allowances: Allowances
    /// Connections at a time; more are closed at once.
    public var maximumConnections: Int
    /// Connections at a time of one network address; `nil`: `sharedPerAddress`, and never more than are still free.
    public var connectionsPerAddress: Int?
    /// A listening socket that the service manager handed over; then `host` and `port` only describe it.
    public var inheritedSocket: CInt?
    /// For tests only: a busy machine needs longer deadlines.
    var deadlines = ConnectionDeadlines()

    /// How connections are protected from eavesdropping.
    public enum Security: Hashable, Sendable {
        /// Plain HTTP, for clients on this very machine.
        case loopback
        /// TLS by these PEM files.
        case tls(certificate: String, key: String)
        /// Plain HTTP from these reverse proxies (addresses or blocks), which end TLS and say so.
        case proxied(by: [String])

        var isSecure: Bool { self != .loopback }
    }

    /// Rate limits by network address or by caller. What is limited by caller is limited by address too, at
    /// `callersPerAddress` times that rate.
    public struct Allowances: Hashable, Sendable {
        /// New consumers, by network address.
        public var newConsumers: LeakyBucket.Rule
        /// ID tokens of consumers, by network address. A signed-in consumer shows one whenever the last one ends.
        public var consumerSignIns: LeakyBucket.Rule
        /// New uploads, by caller.
        public var uploads: LeakyBucket.Rule
        /// Availability requests, by network address.
        public var availability: LeakyBucket.Rule
        /// Downloads of recordings as files, by caller.
        public var downloads: LeakyBucket.Rule
        /// All requests, by caller.
        public var requests: LeakyBucket.Rule
        /// All requests of programs, by API key.
        public var programs: LeakyBucket.Rule

        /// An office shares an address.
        static let callersPerAddress = 10

        /// The rate limits; each has a default.
        public init(
            newConsumers: LeakyBucket.Rule = .init(burst: 5, refillMs: 30_000),
            consumerSignIns: LeakyBucket.Rule = .init(burst: 60, refillMs: 500),
            uploads: LeakyBucket.Rule = .init(burst: 20, refillMs: 3_000),
            availability: LeakyBucket.Rule = .init(burst: 60, refillMs: 1_000),
            downloads: LeakyBucket.Rule = .init(burst: 20, refillMs: 3_000),
            requests: LeakyBucket.Rule = .init(burst: 240, refillMs: 50),
            programs: LeakyBucket.Rule = .init(burst: 50, refillMs: 100)
        ) {
            self.newConsumers = newConsumers
            self.consumerSignIns = consumerSignIns
            self.uploads = uploads
            self.availability = availability
            self.downloads = downloads
            self.requests = requests
            self.programs = programs
        }
    }

    /// The configuration of one gateway.
    public init(
        host: String, port: Int, security: Security, publicOrigins: [String] = [], pages: String? = nil,
        allowances: Allowances = Allowances(),
        maximumConnections: Int = DescriptorBudget.mostConnections
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

/// The reason why the gateway does not start, for the operator.
public struct GatewayFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong and what to do about it.
    public let description: String

    /// An error with this text.
    public init(_ description: String) {
        self.description = description
    }
}

extension GatewayConfiguration {
    /// Where the gateway listens.
    enum Endpoint: Hashable, Sendable {
        case address(host: String, port: Int)
        /// A socket that listens already.
        case inherited(CInt)

        var isInherited: Bool {
            if case .inherited = self { true } else { false }
        }
    }

    /// The most connections of one network address by default: an office behind one address needs several hundred.
    static let sharedPerAddress = 1_024

    var endpoint: Endpoint { inheritedSocket.map { .inherited($0) } ?? .address(host: host, port: port) }

    var addressLimit: ConnectionAdmission.AddressLimit {
        connectionsPerAddress.map { .fixed($0) } ?? .fairShare(atMost: Self.sharedPerAddress)
    }

    /// - Throws: `GatewayFault` where the configuration would allow eavesdropping.
    func proxies() throws(GatewayFault) -> [NetworkRange] {
        switch security {
        case .tls: return []
        case .loopback:
            guard isLoopback else {
                throw GatewayFault(
                    """
                    \(host) can be reached from other machines, and there is no TLS. Configure a certificate and key, \
                    or name the proxy that ends TLS.
                    """
                )
            }
            return []
        case .proxied(let proxies):
            guard !proxies.isEmpty else {
                throw GatewayFault("No proxy is named. Configure the address of the proxy that ends TLS.")
            }
            var ranges: [NetworkRange] = []
            for proxy in proxies {
                guard let range = NetworkRange(proxy) else {
                    throw GatewayFault("\"\(proxy)\" is neither an IP address nor a block of addresses.")
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
        host == "localhost" || NetworkAddress(host)?.isLoopback == true
    }
}
