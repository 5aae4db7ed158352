import EarshotCore
import EarshotModel

/// What one consumer's connection receives about its place in the queue and the expected answer time.
final class ConsumerStatusFeed {
    private unowned let connection: SocketConnection
    private let consumer: ConsumerCaller
    /// The expectation as it was sent last, and when.
    private var sent: Expectation?
    private var sentAt: Timestamp?
    /// Whether the consumer waits for an answer, or for an expectation that is not sent yet.
    private(set) var isWaiting = false

    init(_ connection: SocketConnection, _ consumer: ConsumerCaller) {
        self.connection = connection
        self.consumer = consumer
    }

    /// Sends the expectation now, or within a second where one was sent a moment ago.
    func expectationChanged() {
        if connection.mayResend(after: sentAt) { send() } else { isWaiting = true }
    }

    /// Sends the expectation where it differs from the one sent last.
    /// - Parameter isReturning: the client may show an expectation that is over, so `null` is sent too.
    func send(isReturning: Bool = false) {
        guard connection.canWrite else {
            isWaiting = true
            return
        }
        let routing = connection.services.routing
        let expectation = routing.expectation(of: consumer.conversation, in: consumer.account)
        isWaiting = expectation != nil
        guard expectation != sent || (isReturning && routing.isSetUp(consumer.account)) else { return }
        (sent, sentAt) = (expectation, connection.now)
        connection.write { $0.rare(.expect(expectation)) }
    }
}

extension SocketConnection {
    /// Whether a status that was sent at this time may be sent again.
    func mayResend(after sentAt: Timestamp?) -> Bool {
        sentAt.map { now >= $0.adding(milliseconds: limits.statusMs) } ?? true
    }
}
