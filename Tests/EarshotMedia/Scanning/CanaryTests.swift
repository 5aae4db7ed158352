import EarshotModel
import EarshotWorkerProtocol
import Testing

@testable import EarshotMedia

@Suite struct `A canary` {
    @Test func `exists for every accepted container, and is different each time`() {
        let containers = Set(Canary.all().map(\.container))
        for container in AudioContainer.allCases {
            #expect(containers.contains("\(container)"), "no canary for \(container)")
        }
        for (one, other) in zip(Canary.all(), Canary.all()) { #expect(one.bytes != other.bytes) }
        for canary in Canary.all() { #expect(canary.bytes.count < 4096) }
    }

    @Test func `is found in every container by the two sessions together; one session misses MP3 and Ogg`() async throws
    {
        let clamd = try Clamd()
        try clamd.start()
        try await ScannerLab.with(clamd) { lab in
            let test = await lab.scanner.selfTest(includesLargeStream: true)
            #expect(
                test.health == .good && test.verified == ScannerSelfTest.containers && test.verified.contains("3gp"))
            let session = ScanSession(address: clamd.address, limit: .seconds(60))
            var blind: Set<String> = []
            for canary in Canary.all() where await session.ask(.bytes(canary.bytes)) == .clean {
                blind.insert(canary.container)
            }
            #expect(blind == ["mp3", "ogg"])
        }
    }

    @Test func `that is found under another signature name does not count`() {
        #expect(Canary.isFound(.infected("Earshot.Scanner.Canary.UNOFFICIAL")))
        for other in [ScanReply.infected("Heuristics.Broken"), .clean, .inconclusive(""), .unreachable("")] {
            #expect(!Canary.isFound(other))
        }
    }

    @Test func `that is missed in one container makes recordings in that container wait`() {
        let answers = Canary.all().map {
            (container: $0.container, reply: $0.container == "3gp" ? ScanReply.clean : .infected(Canary.signatureName))
        }
        let health = ScannerSelfTest(answers: answers, large: nil).health
        #expect(
            health == .missesContainers(["3gp"]) && !health.covers("mp4") && health.covers("webm")
                && !health.covers("unknown"))
    }

    @Test func `that is missed everywhere is reported as that, whatever the large stream gave`() {
        let answers = Canary.all().map { (container: $0.container, reply: ScanReply.clean) }
        #expect(
            ScannerSelfTest(answers: answers, large: .clean).health == .missesContainers(ScannerSelfTest.containers))
    }

    @Test func `at the end of the largest recording is found; if it is missed, no answer is trusted`() async throws {
        let clamd = try Clamd(limits: ["MaxFileSize": "15M", "AlertExceedsMax": "no"])
        try clamd.start()
        try await ScannerLab.with(clamd, isStarted: false) { lab in
            try await lab.log.next(
                "The scanner does not look into streams of 16 MB. Recordings wait."
            )
            #expect(lab.scanner.health == .missesLargeStreams("stream: OK") && !lab.scanner.health.covers("webm"))
        }
        #expect(Canary.large(Limits.audioBytes).count == Limits.audioBytes)
    }
}
