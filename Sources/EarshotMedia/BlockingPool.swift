import NIOCore
import NIOPosix

/// Work that blocks (files, processes), on threads that are made for it: never on an event loop, never on the threads of Swift's tasks.
enum BlockingPool {
    /// Runs to its end even where the waiting task is cancelled: half a file operation is never left behind.
    static func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        let loop = MultiThreadedEventLoopGroup.singleton.any()
        return try await NIOThreadPool.singleton.runIfActive(eventLoop: loop, body).get()
    }
}
