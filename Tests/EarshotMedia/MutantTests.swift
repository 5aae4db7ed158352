import EarshotCore
import EarshotModel
import EarshotWorkerProtocol
import Foundation
import Testing

@testable import EarshotMedia

@Suite struct `A mutated recording` {
    /// A nightly run sets EARSHOT_MUTANTS to 5000, and EARSHOT_MUTANT_SEED to another seed.
    private static let mutants = number("EARSHOT_MUTANTS") ?? 390
    private static let seed = UInt64(number("EARSHOT_MUTANT_SEED") ?? 20_260_101)
    private static let names = [
        "speech.webm", "live.webm", "speech.ogg", "index-last.m4a", "fragmented.mp4", "lame.mp3", "speech.wav",
        "narrow.amr", "wide.awb", "narrow.3gp",
        "opus.caf", "aac.caf", "alac.caf",
    ]

    /// The seed is fixed, so a failure repeats itself; the mutant's number says which. Every kind of work in turn.
    @Test func `ends in a result or in a refusal with a code, and never hangs, for every kind of work`() async throws {
        let originals = try await Self.originals()
        var ends: [String: Int] = [:]
        try await withThrowingTaskGroup(of: String.self) { group in
            for number in 0..<Self.mutants {
                if number >= 2, let end = try await group.next() { ends[end, default: 0] += 1 }
                let mutant = Mutation.of(originals[number % originals.count], seed: Self.seed + UInt64(number))
                let work = WorkerOrder.Work.allCases[number / originals.count % WorkerOrder.Work.allCases.count]
                group.addTask { try await Self.end(of: mutant, work, number) }
            }
            for try await end in group { ends[end, default: 0] += 1 }
        }
        print("mutants, seed \(Self.seed): \(ends.sorted { $0.key < $1.key })")
        #expect(ends.values.reduce(0, +) == Self.mutants)
        #expect(ends["made", default: 0] > 0 && ends["damaged", default: 0] > 0)
    }

    /// Every one is kept or refused with a code of its own; the server takes the next recording after all of them.
    @Test func `never harms the server`() async throws {
        let originals = try await Self.originals()
        let codes: Set<Rejection.Code> = [
            .notAudio, .audioDamaged, .audioEmpty, .audioTooLong, .audioTooLarge, .audioFailed,
        ]
        try await StoreLab.with({ $0.ready = 2 }) { lab in
            for number in 0..<min(Self.mutants, 2 * originals.count) {
                let mutant = Mutation.of(originals[number % originals.count], seed: Self.seed ^ UInt64(number))
                do {
                    let kept = try await lab.upload(mutant, StoreLab.request(draft: "m\(number)", author: "a\(number)"))
                    #expect(kept.content.durationMs > 0 && kept.content.waveform.count == AudioContent.waveformSpans)
                    for format in Rendition.allCases {
                        let file = try? await lab.store.rendition(
                            format, of: kept.content.media, in: ConversationID(trusted: "conversation"))
                        #expect(file.map { $0.size > 0 } != false)
                    }
                } catch let rejection as Rejection {
                    #expect(codes.contains(rejection.code), "mutant \(number)")
                }
            }
            #expect(try await lab.upload(originals[0], StoreLab.request(draft: "good")).content.durationMs > 2000)
        }
    }

    private static func originals() async throws -> [[UInt8]] {
        let fixtures = try await Fixtures.shared()
        return try names.map { try fixtures.bytes($0) }
    }

    /// The worker's own limits end it: a crash is an answer too (`audio_failed`), silence with success is none.
    private static func end(of mutant: [UInt8], _ work: WorkerOrder.Work, _ number: Int) async throws -> String {
        let run = try await WorkerRun.order(
            WorkerOrder(work, limitMs: 120_000, maxBytes: 512 * 1024), mutant, ["--cpu-seconds", "5"])
        if run.result != nil || run.made != nil { return "made" }
        if let failure = run.failure { return "\(failure)" }
        #expect(run.signal != 0 || run.exitCode != 0, "mutant \(number) got no answer")
        return "crashed"
    }

    private static func number(_ name: String) -> Int? { ProcessInfo.processInfo.environment[name].flatMap { Int($0) } }
}

/// Damage from a seed.
enum Mutation {
    static func of(_ bytes: [UInt8], seed: UInt64) -> [UInt8] {
        var random = SplitMix(state: seed)
        var made = bytes
        for _ in 0..<[1, 8, 64, 400].randomElement(using: &random)! {
            let at = Int.random(in: 0..<made.count, using: &random)
            switch Int.random(in: 0..<6, using: &random) {
            case 0..<3: made[at] = UInt8.random(in: .min ... .max, using: &random)
            case 3: made[at] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case 4: made.insert(0xFF, at: at)
            default: made.remove(at: at)
            }
        }
        return made
    }
}

/// A generator that gives the same numbers for the same seed everywhere (Steele, Lea and Flood 2014).
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
