import EarshotCore
import EarshotModel
import Synchronization

/// What the media store and the scan backlog count and measure.
struct MediaMetrics: Sendable {
    /// What became of a recording that its sender finished.
    enum RecordingResult: String, MetricLabel {
        /// Everyone in the conversation can play it.
        case playable
        /// Refused with a code: not audio, too long, damaged, blocked by the scanner.
        case refused
        /// A fault of ours: the disk, a worker or the scanner gave no result.
        case failed
    }

    /// The scanner's result for a whole file.
    enum ScanResult: String, MetricLabel {
        case clean, infected, inconclusive, unreachable
    }

    let recordings = LabelledCounter<RecordingResult>(
        "earshot_recordings_total", "Voice messages that their senders finished, by result.", by: "result")
    let playable = Histogram(
        "earshot_recording_playable_seconds",
        "Time from the end of a recording's upload until everyone in the conversation can play it.", .latency)
    let scans = LabelledCounter<ScanResult>(
        "earshot_scans_total", "Scans of whole recordings, by result.", by: "result")
    let unplayable = UnplayableRecordings()

    /// A sender asks to finish a recording.
    func finishing(_ id: String) { unplayable.add(id, since: .now) }

    /// A finished recording is stored. If it waits for the scanner, `scanned` follows.
    func finished(_ id: String, _ scan: ScanState) {
        if scan != .pending { settled(id, .playable) }
    }

    /// Finishing a recording ended with an error.
    func failed(_ id: String, _ error: any Error) {
        let code = (error as? Rejection)?.code
        settled(id, code == nil || code == .audioFailed || code == .storageFull ? .failed : .refused)
    }

    /// The recording is settled: it can be played, or never will be.
    func settled(_ id: String, _ result: RecordingResult) {
        guard let since = unplayable.remove(id) else { return }
        recordings.increment(result)
        if result == .playable { playable.observe(since.duration(to: .now)) }
    }

    var all: [any Metric] {
        [
            recordings, playable, scans,
            ReadMetric("earshot_recordings_waiting", "Voice messages that were finished and cannot be played yet.") {
                Double(unplayable.count)
            },
            ReadMetric(
                "earshot_recordings_late",
                "Voice messages that were finished more than 90 seconds ago and cannot be played yet."
            ) { Double(unplayable.count(olderThan: UnplayableRecordings.lateAfter, at: .now)) },
        ]
    }
}

/// Finished recordings that nobody but their senders can play yet, and since when.
final class UnplayableRecordings: Sendable {
    /// A recording that cannot be played after this time is late.
    static let lateAfter = Duration.seconds(90)

    private let since = Mutex<[String: ContinuousClock.Instant]>([:])

    /// Adds a recording. One that is there already keeps its time.
    func add(_ id: String, since time: ContinuousClock.Instant) {
        since.withLock { since in if since[id] == nil { since[id] = time } }
    }

    /// Removes a recording. - Returns: since when it was there.
    func remove(_ id: String) -> ContinuousClock.Instant? {
        since.withLock { $0.removeValue(forKey: id) }
    }

    /// The number of all recordings.
    var count: Int { since.withLock { $0.count } }

    /// The number of recordings that are there for longer than `age`.
    func count(olderThan age: Duration, at now: ContinuousClock.Instant) -> Int {
        since.withLock { $0.values.count { $0 + age < now } }
    }
}
