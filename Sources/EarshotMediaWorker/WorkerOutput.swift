import EarshotWorkerProtocol
import Glibc

/// Frames on their way to standard output, gathered until the worker would wait for input or enough came together.
final class WorkerOutput {
    private var pending: [UInt8] = []
    private static let flushBytes = 16 * 1024

    func put(_ frame: WorkerFrame) {
        pending += frame.encoded
        if pending.count >= Self.flushBytes { flush() }
    }

    func putText(_ text: String) {
        pending += text.utf8
    }

    /// Ends the process where nobody reads any more.
    func flush() {
        var sent = 0
        while sent < pending.count {
            let written = pending.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress! + sent, $0.count - sent) }
            if written <= 0 { exit(WorkerExit.broken) }
            sent += written
        }
        pending.removeAll(keepingCapacity: true)
    }
}
