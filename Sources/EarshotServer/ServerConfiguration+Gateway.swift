import EarshotDomain
import EarshotGateway

extension ServerConfiguration {
    /// - Parameters:
    ///   - budget: how many connections the process can afford.
    ///   - activation: the listening socket that the service manager handed over.
    func gateway(_ budget: DescriptorBudget, _ activation: SocketActivation?) -> GatewayConfiguration {
        var gateway = GatewayConfiguration(
            host: activation?.host ?? host, port: activation?.port ?? port, security: security,
            publicOrigins: publicURL.map { [$0] } ?? [], pages: web.path, maximumConnections: budget.connections)
        gateway.connectionsPerAddress = connectionsPerAddress
        gateway.allowances.requests = LeakyBucket.Rule(
            burst: requestsPerSecond * Self.requestBurstSeconds, refillMs: Int64(1000 / requestsPerSecond))
        gateway.inheritedSocket = activation?.descriptor
        gateway.servesDemo = servesDemo
        return gateway
    }

    /// So many seconds' requests may come at once, as when a workspace loads or a device returns with many chunks.
    private static let requestBurstSeconds = 12

    /// The rate limits of connections. Load tests raise them.
    var sockets: SocketLimits {
        var limits = SocketLimits().allowing(burst: sendBurst, perSecond: sendsPerSecond)
        limits.socketsPerPerson = socketsPerPerson
        return limits
    }

    /// Whether the demo's one-click links work: only where nothing but this machine reaches the server.
    var offersDemoLinks: Bool { servesDemo && isLoopback && publicURL == nil && trustedProxies.isEmpty }

    /// The address to print once the port is known.
    func address(port: Int) -> String { publicURL ?? ownAddress(port: port) }

    /// The server's own address, without a proxy.
    func ownAddress(port: Int) -> String {
        "\(tls == nil ? "http" : "https")://\(isLoopback ? "localhost" : host):\(port)"
    }

    private var security: GatewayConfiguration.Security {
        if let tls { return .tls(certificate: tls.certificate, key: tls.key) }
        return trustedProxies.isEmpty ? .loopback : .proxied(by: trustedProxies)
    }
}
