import Hummingbird
import NIOCore

/// What Hummingbird tells of a request besides the request.
struct GatewayContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// The other end of the TCP connection.
    let connectionAddress: String?

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        connectionAddress = source.channel.remoteAddress?.ipAddress
    }
}
