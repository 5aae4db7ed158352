public import EarshotCore
import EarshotModel
import NIOCore

/// What the gateway and its sockets count and measure.
public struct GatewayMetrics: Sendable {
    /// Who a socket belongs to.
    enum SocketRole: String, MetricLabel {
        case signingIn = "signing_in"
        case consumer, agent
    }

    let connections = Gauge("earshot_connections", "Open TCP connections, sockets included.")
    let sockets = LabelledGauge<SocketRole>("earshot_sockets", "Open WebSockets, by who is signed in.", by: "role")
    let refusals = LabelledCounter<Rejection.Code>(
        "earshot_refusals_total",
        "Requests, frames and sockets that were refused, by error code (docs/protocol.md section 5).", by: "code")
    let command = Histogram(
        "earshot_command_seconds", "Time from a command's frame until its answer is written: it is on disk then.",
        .latency)
    let delivery = Histogram(
        "earshot_delivery_seconds",
        "Time from a commit until an event loop has written it to the sockets that follow it.", .step)

    /// Creates the metrics of one gateway.
    public init() {}

    /// All of them.
    public var all: [any Metric] { [connections, sockets, refusals, command, delivery] }

    /// Counts a connection until its channel closes.
    func count(_ channel: any Channel) {
        connections.add(1)
        channel.closeFuture.whenComplete { [connections] _ in connections.add(-1) }
    }
}
