import EarshotCore
import Logging
import Synchronization
import Testing

@Suite struct `A line that occurs very often` {
    private final class Recorder: Sendable {
        let lines = Mutex<[Logger.Metadata]>([])
        let time = Mutex(ContinuousClock.now)

        var logger: Logger { Logger(label: "test") { _ in Handler(recorder: self) } }
        func advance(_ duration: Duration) { time.withLock { $0 += duration } }
    }

    private struct Handler: LogHandler {
        let recorder: Recorder
        var logLevel = Logger.Level.trace
        var metadata: Logger.Metadata = [:]

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            recorder.lines.withLock { $0.append(event.metadata ?? [:]) }
        }
    }

    @Test func `is logged at once, then once per interval with its count`() {
        let recorder = Recorder()
        let log = RepeatedLog(every: .seconds(10)) { recorder.time.withLock { $0 } }
        func occur() { log.log(.warning, "A fault.", to: recorder.logger, metadata: ["what": "disk"]) }
        for _ in 0..<1_000 { occur() }
        #expect(recorder.lines.withLock { $0 } == [["what": "disk"]])
        recorder.advance(.milliseconds(9_999))
        occur()
        #expect(recorder.lines.withLock { $0.count } == 1)
        recorder.advance(.milliseconds(1))
        occur()
        #expect(recorder.lines.withLock { $0 } == [["what": "disk"], ["what": "disk", "occurrences": "1001"]])
    }
}
