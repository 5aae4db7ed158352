import NIOCore
import NIOPosix

/// Runs blocking work (files, processes) on threads of its own, never on an event loop or on Swift's cooperative
/// threads.
///
/// NIO's shared pool has as many threads as the machine has cores, and playback reads its files there. A disk that
/// takes long to flush an upload must not stop it.
enum BlockingPool {
    /// How many threads there are.
    static let threadCount = max(8, 2 * System.coreCount)

    private static let threads: NIOThreadPool = {
        let threads = NIOThreadPool(numberOfThreads: threadCount)
        threads.start()
        return threads
    }()

    /// Runs `body` to its end even if the waiting task is cancelled, so that no file operation is left half done.
    static func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        let loop = MultiThreadedEventLoopGroup.singleton.any()
        return try await threads.runIfActive(eventLoop: loop, body).get()
    }
}
