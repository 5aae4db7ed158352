import EarshotCore
import EarshotModel
import Foundation
import Logging
import Synchronization

/// How log lines are written to standard error.
public enum LogFormat: String, Sendable, CaseIterable {
    /// For people.
    case text
    /// For log collectors: one JSON object per line.
    case json

    /// A handler of this format.
    func handler(label: String, now: @escaping @Sendable () -> Timestamp) -> any LogHandler {
        switch self {
        case .text: StreamLogHandler.standardError(label: label)
        case .json: JSONLogHandler(now: now) { StandardError.shared.write($0) }
        }
    }
}

/// Standard error, written by one thread at a time, so that lines do not mix.
private final class StandardError: Sendable {
    static let shared = StandardError()
    private let lock = Mutex(())

    /// Writes a line. A line that nobody takes is lost: logging must not stop the server.
    func write(_ line: [UInt8]) {
        lock.withLock { _ in
            var rest = line[...]
            while !rest.isEmpty {
                let written = rest.withUnsafeBytes { Foundation.write(STDERR_FILENO, $0.baseAddress, $0.count) }
                if written < 0, errno == EINTR { continue }
                guard written > 0 else { return }
                rest = rest.dropFirst(written)
            }
        }
    }
}
