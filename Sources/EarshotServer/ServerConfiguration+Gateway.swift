import EarshotGateway

extension ServerConfiguration {
    var gateway: GatewayConfiguration {
        GatewayConfiguration(
            host: host, port: port, security: security, publicOrigins: publicURL.map { [$0] } ?? [], pages: web)
    }

    /// The rate limits of connections. Load tests raise them.
    var sockets: SocketLimits {
        SocketLimits().allowing(burst: sendBurst, perSecond: sendsPerSecond)
    }

    /// The address to print once the port is known.
    func address(port: Int) -> String {
        publicURL ?? "\(tls == nil ? "http" : "https")://\(isLoopback ? "localhost" : host):\(port)"
    }

    private var security: GatewayConfiguration.Security {
        if let tls { return .tls(certificate: tls.certificate, key: tls.key) }
        return trustedProxies.isEmpty ? .loopback : .proxied(by: trustedProxies)
    }
}
