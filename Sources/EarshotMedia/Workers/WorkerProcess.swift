import EarshotCore
import Glibc
import NIOCore
import NIOPosix
import Synchronization

/// The operating system process of one worker, and the two pipes to it.
final class WorkerProcess: Sendable {
    private let input: any Channel
    /// What the worker writes to its standard output.
    let output: NIOAsyncChannel<ByteBuffer, Never>
    let pid: pid_t
    private let state = Mutex(State())
    private let timers: any EventLoop

    private struct State {
        var isReaped = false
        var deadline: Scheduled<Void>?
    }

    /// Starts the program without the server's environment and descriptors, in the folder `/`.
    ///
    /// The process is started on a thread of the blocking pool, which lives as long as the server: a worker dies with
    /// the thread that started it.
    static func start(_ executable: String, _ arguments: [String]) async throws -> WorkerProcess {
        let loop = MultiThreadedEventLoopGroup.singleton.any()
        let child = try await BlockingPool.processes.run { try SpawnedChild(executable, arguments) }
        do {
            return try await WorkerProcess(child, loop)
        } catch {
            kill(child.pid, SIGKILL)
            try await BlockingPool.processes.run { _ = waitpid(child.pid, nil, 0) }
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

    /// Writes bytes to the worker's input; returns when the pipe has taken them all. Throws if the worker closed its
    /// input.
    func write(_ bytes: [UInt8]) async throws {
        try await input.writeAndFlush(ByteBuffer(bytes: bytes)).get()
    }

    /// Closes the worker's input: the recording is complete.
    func closeInput() async {
        try? await input.close()
    }

    /// Kills the process now. Does nothing once it was reaped.
    func end() {
        state.withLock { state in
            if !state.isReaped { kill(pid, SIGKILL) }
        }
    }

    /// Kills the process after `time`. Replaces an earlier deadline.
    func end(in time: Duration) {
        replaceDeadline(timers.scheduleTask(in: TimeAmount(time)) { [weak self] in self?.end() })
    }

    /// Cancels the deadline.
    func cancelDeadline() {
        replaceDeadline(nil)
    }

    /// Kills the process if needed and waits for its end.
    /// - Returns: the status of `waitpid`.
    func reap() async -> Int32 {
        end()
        cancelDeadline()
        let status = try? await BlockingPool.processes.run { [self] in
            var information = siginfo_t()
            // Waits without reaping, so that the process id cannot be reused before the lock is held.
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
