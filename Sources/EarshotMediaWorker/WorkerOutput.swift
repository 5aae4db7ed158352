import EarshotWorkerProtocol
import Glibc

/// Collects frames for standard output and writes them when the worker is about to wait for input or when there are
/// enough.
final class WorkerOutput {
    private var pending: [UInt8] = []
    private static let flushBytes = 16 * 1024

    /// Adds a frame.
    func put(_ frame: WorkerFrame) {
        pending += frame.encoded
        if pending.count >= Self.flushBytes { flush() }
    }

    /// Adds plain text, for sandbox probes.
    func putText(_ text: String) {
        pending += text.utf8
    }

    /// Writes everything. Ends the process if the server no longer reads.
    func flush() {
        var sent = 0
        while sent < pending.count {
            let written = pending.withUnsafeBytes {
                write(STDOUT_FILENO, $0.baseAddress?.advanced(by: sent), $0.count - sent)
            }
            if written <= 0 { exit(WorkerExit.broken) }
            sent += written
        }
        pending.removeAll(keepingCapacity: true)
    }
}
