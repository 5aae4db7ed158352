import HummingbirdCore
import Logging
import NIOCore
import NIOSSL

/// A connection over TLS, with the certificate that is in use when it begins.
struct TLSConnection<Base: ServerChildChannel>: ServerChildChannel {
    typealias Value = Base.Value

    private let base: Base
    private let certificate: ServerCertificate

    init(_ base: Base, _ certificate: ServerCertificate) {
        self.base = base
        self.certificate = certificate
    }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: certificate.context))
        }
        .flatMap { base.setup(channel: channel, logger: logger) }
    }

    func handle(value: Value, logger: Logger) async {
        await base.handle(value: value, logger: logger)
    }
}
