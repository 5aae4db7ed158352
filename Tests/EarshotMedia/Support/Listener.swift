import NIOCore
import NIOPosix
import Synchronization

/// A server on a free port that counts who comes.
final class Listener: Sendable {
    let port: Int
    private let channel: any Channel
    private let clients: Clients

    /// The ports that connections came from.
    private final class Clients: Sendable {
        private let ports = Mutex<[Int]>([])

        var all: [Int] { ports.withLock { $0 } }

        func add(_ port: Int) { ports.withLock { $0.append(port) } }
    }

    static func open() async throws -> Listener {
        let clients = Clients()
        // One event loop for all connections: with several, a later connection may be counted before an earlier one.
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton.next())
            .childChannelInitializer { channel in
                clients.add(channel.remoteAddress?.port ?? 0)
                return channel.eventLoop.makeSucceededVoidFuture()
            }
            .bind(host: "127.0.0.1", port: 0).get()
        return Listener(channel, clients)
    }

    private init(_ channel: any Channel, _ clients: Clients) {
        self.channel = channel
        self.clients = clients
        port = channel.localAddress?.port ?? 0
    }

    func connectOnce() async throws {
        try await connect().close()
    }

    /// How many connected. A connection of our own, made last, is the signal that all before it were counted.
    func connectionsAtEnd() async throws -> Int {
        let own = try await connect()
        let from = own.localAddress?.port ?? 0
        while !clients.all.contains(from) { await Task.yield() }
        try await own.close()
        try await channel.close()
        return clients.all.count - 1
    }

    private func connect() async throws -> any Channel {
        try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton).connect(host: "127.0.0.1", port: port)
            .get()
    }
}
