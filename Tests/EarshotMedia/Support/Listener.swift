import NIOCore
import NIOPosix
import Synchronization

/// A server on a free port that counts who comes.
final class Listener: Sendable {
    let port: Int
    private let channel: any Channel
    private let count: Counter

    final class Counter: Sendable {
        let value = Atomic(0)
    }

    static func open() async throws -> Listener {
        let count = Counter()
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                count.value.add(1, ordering: .sequentiallyConsistent)
                return channel.eventLoop.makeSucceededVoidFuture()
            }
            .bind(host: "127.0.0.1", port: 0).get()
        return Listener(channel, count)
    }

    private init(_ channel: any Channel, _ count: Counter) {
        self.channel = channel
        self.count = count
        port = channel.localAddress?.port ?? 0
    }

    func connectOnce() async throws {
        let client = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton).connect(
            host: "127.0.0.1", port: port
        ).get()
        try await client.close()
    }

    /// How many came. A connection of our own, made last, is the signal that all before it were counted.
    func connectionsAtEnd() async throws -> Int {
        let before = count.value.load(ordering: .sequentiallyConsistent)
        try await connectOnce()
        while count.value.load(ordering: .sequentiallyConsistent) == before { await Task.yield() }
        try await channel.close()
        return count.value.load(ordering: .sequentiallyConsistent) - 1
    }
}
