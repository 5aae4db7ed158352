import NIOCore
import NIOPosix

/// Runs blocking work (files, processes) on NIO's thread pool, never on an event loop or on Swift's cooperative
/// threads.
enum BlockingPool {
    /// Runs `body` to its end even if the waiting task is cancelled, so that no file operation is left half done.
    static func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        let loop = MultiThreadedEventLoopGroup.singleton.any()
        return try await NIOThreadPool.singleton.runIfActive(eventLoop: loop, body).get()
    }
}
