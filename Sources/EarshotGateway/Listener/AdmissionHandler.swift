import Logging
import NIOCore

/// Closes new connections that `ConnectionAdmission` refuses, before anything is read from them. Lives in the pipeline
/// of the listening socket.
///
/// Refused connections are logged once a minute, not one by one.
final class AdmissionHandler: ChannelInboundHandler {
    typealias InboundIn = any Channel
    typealias InboundOut = any Channel

    static let logInterval = TimeAmount.minutes(1)

    private var admission: ConnectionAdmission
    private let logger: Logger
    private var refusedWhenFull = 0
    private var refusedByAddress = 0
    private var isLogScheduled = false

    init(_ admission: ConnectionAdmission, logger: Logger) {
        self.admission = admission
        self.logger = logger
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let connection = Self.unwrapInboundIn(data)
        let address = connection.remoteAddress?.ipAddress.flatMap { NetworkAddress($0) }
        switch admission.accept(address) {
        case .accepted:
            connection.closeFuture.hop(to: context.eventLoop).assumeIsolated().whenComplete { _ in
                self.admission.ended(address)
            }
            context.fireChannelRead(data)
        case .full:
            refusedWhenFull += 1
            refuse(connection, context)
        case .tooManyFromAddress:
            refusedByAddress += 1
            refuse(connection, context)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // The bootstrap's own handler waits a moment after an accept that failed, and tries again.
        logger.warning("Accepting a connection failed.", metadata: ["error": "\(error)"])
        context.fireErrorCaught(error)
    }

    private func refuse(_ connection: any Channel, _ context: ChannelHandlerContext) {
        connection.close(promise: nil)
        guard !isLogScheduled else { return }
        isLogScheduled = true
        log()
        context.eventLoop.assumeIsolated().scheduleTask(in: Self.logInterval) {
            self.isLogScheduled = false
            self.log()
        }
    }

    private func log() {
        guard refusedWhenFull + refusedByAddress > 0 else { return }
        logger.warning(
            "New connections were refused.",
            metadata: ["serverFull": "\(refusedWhenFull)", "tooManyFromAddress": "\(refusedByAddress)"])
        (refusedWhenFull, refusedByAddress) = (0, 0)
    }
}
