import EarshotGateway

extension ServerConfiguration {
    var gateway: GatewayConfiguration {
        GatewayConfiguration(
            host: host, port: port, security: security, publicOrigins: publicURL.map { [$0] } ?? [], pages: web)
    }

    /// What people may do; load tests raise it.
    var sockets: SocketLimits {
        SocketLimits().allowing(burst: sendBurst, perSecond: sendsPerSecond)
    }

    /// What to tell people once we know the port.
    func address(port: Int) -> String {
        publicURL ?? "\(tls == nil ? "http" : "https")://\(isLoopback ? "localhost" : host):\(port)"
    }

    private var security: GatewayConfiguration.Security {
        if let tls { return .tls(certificate: tls.certificate, key: tls.key) }
        return trustedProxies.isEmpty ? .loopback : .proxied(by: trustedProxies)
    }
}
