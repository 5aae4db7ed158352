import EarshotCore
import Glibc
import NIOCore
import NIOPosix
import Synchronization

/// One worker as the operating system sees it: its process and the two pipes to it.
final class WorkerProcess: Sendable {
    private let input: any Channel
    let output: NIOAsyncChannel<ByteBuffer, Never>
    let pid: pid_t
    private let state = Mutex(State())
    private let timers: any EventLoop

    private struct State {
        var isReaped = false
        var deadline: Scheduled<Void>?
    }

    /// Starts the executable with nothing of ours: no environment, no descriptors but its three, the folder `/`.
    ///
    /// Runs on a thread of the blocking pool, never on an event loop; and on one that lives as long as the process does, because the worker dies with
    /// the thread that started it.
    static func start(_ executable: String, _ arguments: [String]) async throws -> WorkerProcess {
        let loop = MultiThreadedEventLoopGroup.singleton.any()
        let child = try await BlockingPool.run { try SpawnedChild(executable, arguments) }
        do {
            return try await WorkerProcess(child, loop)
        } catch {
            kill(child.pid, SIGKILL)
            try await BlockingPool.run { _ = waitpid(child.pid, nil, 0) }
            throw error
        }
    }

    private init(_ child: SpawnedChild, _ loop: any EventLoop) async throws {
        pid = child.pid
        timers = loop
        let bootstrap = NIOPipeBootstrap(group: loop)
        input = try await bootstrap.takingOwnershipOfDescriptor(output: child.input).get()
        output = try await bootstrap.takingOwnershipOfDescriptor(input: child.output) { channel in
            channel.eventLoop.makeCompletedFuture { try NIOAsyncChannel(wrappingChannelSynchronously: channel) }
        }
    }

    /// Hands bytes to it; returns when it has them all, or the pipe has. Throws where it takes no more.
    func write(_ bytes: [UInt8]) async throws {
        try await input.writeAndFlush(ByteBuffer(bytes: bytes)).get()
    }

    /// Tells it that nothing follows.
    func closeInput() async {
        try? await input.close()
    }

    /// Ends it now. Harmless once it was reaped.
    func end() {
        state.withLock { state in
            if !state.isReaped { kill(pid, SIGKILL) }
        }
    }

    /// Ends it when so much time has passed, in place of an earlier such order.
    func end(in time: Duration) {
        replaceDeadline(timers.scheduleTask(in: TimeAmount(time)) { [weak self] in self?.end() })
    }

    /// Takes the deadline back.
    func keep() {
        replaceDeadline(nil)
    }

    /// Ends it, and takes it off the system's list. What it answers is the status of `waitpid`.
    func reap() async -> Int32 {
        end()
        keep()
        let status = try? await BlockingPool.run { [self] in
            var information = siginfo_t()
            // Waits without reaping: until the lock is held, the process id stays ours.
            while waitid(P_PID, id_t(pid), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
            return state.withLock { state in
                var status: Int32 = 0
                waitpid(pid, &status, 0)
                state.isReaped = true
                return status
            }
        }
        return status ?? 0
    }

    private func replaceDeadline(_ next: Scheduled<Void>?) {
        let earlier = state.withLock { state in
            let earlier = state.deadline
            state.deadline = next
            return earlier
        }
        earlier?.cancel()
    }
}
