import Hummingbird
import NIOCore

/// The context of a request: the address of its connection.
struct GatewayContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// The other end of the TCP connection.
    let connectionAddress: String?

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        connectionAddress = source.channel.remoteAddress?.ipAddress
    }
}
