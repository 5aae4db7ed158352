import Logging
import Synchronization

/// Keeps what was logged, and tells of each line.
final class LineLog: LogHandler, Sendable {
    private let written = Mutex([Logger.Metadata]())
    private let line: AsyncStream<String>.Continuation

    static func make() -> (LineLog, AsyncStream<String>) {
        let (lines, line) = AsyncStream<String>.makeStream()
        return (LineLog(line), lines)
    }

    private init(_ line: AsyncStream<String>.Continuation) {
        self.line = line
    }

    var count: Int { written.withLock { $0.count } }
    /// The metadata of the last line.
    var last: Logger.Metadata? { written.withLock { $0.last } }

    var metadata: Logger.Metadata {
        get { [:] }
        set {}
    }
    var logLevel: Logger.Level {
        get { .info }
        set {}
    }
    subscript(metadataKey _: String) -> Logger.Metadata.Value? {
        get { nil }
        set {}
    }

    func log(event: LogEvent) {
        written.withLock { $0.append(event.metadata ?? [:]) }
        line.yield("\(event.message)")
    }
}
