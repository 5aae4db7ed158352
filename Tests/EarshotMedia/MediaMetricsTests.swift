import EarshotCore
import EarshotModel
import Testing

@testable import EarshotMedia

@Suite struct `What the media store counts` {
    @Test func `is a recording as playable once, and how long that took`() {
        let metrics = MediaMetrics()
        metrics.finishing("one")
        metrics.finishing("one")
        #expect(metrics.unplayable.count == 1)
        metrics.finished("one", .pending)
        #expect(metrics.unplayable.count == 1, "it waits for the scanner")
        metrics.settled("one", .playable)
        metrics.settled("one", .playable)
        #expect(metrics.recordings.value(.playable) == 1 && metrics.playable.count == 1)
        #expect(metrics.unplayable.count == 0)
    }

    @Test(arguments: [
        (Rejection(.notAudio, ""), MediaMetrics.RecordingResult.refused), (Rejection(.audioFailed, ""), .failed),
        (Rejection(.storageFull, ""), .failed), (Rejection(.audioBlocked, ""), .refused),
    ]) func `tells a refused recording from a fault of ours`(rejection: Rejection, result: MediaMetrics.RecordingResult)
    {
        let metrics = MediaMetrics()
        metrics.finishing("one")
        metrics.failed("one", rejection)
        #expect(metrics.recordings.value(result) == 1)
        #expect(metrics.recordings.value(.playable) == 0 && metrics.playable.count == 0)
    }

    @Test func `is late recordings: those that wait for longer than 90 seconds`() {
        let recordings = UnplayableRecordings()
        let start = ContinuousClock.now
        recordings.add("first", since: start)
        recordings.add("second", since: start + .seconds(1))
        let late = { recordings.count(olderThan: UnplayableRecordings.lateAfter, at: start + $0) }
        #expect(late(.seconds(90)) == 0)
        #expect(late(.seconds(90.5)) == 1)
        #expect(late(.seconds(92)) == 2)
    }
}
