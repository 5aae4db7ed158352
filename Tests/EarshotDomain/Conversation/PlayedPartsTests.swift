import EarshotDomain
import EarshotModel
import EarshotTestKit
import Testing

@Suite struct `What was played of a voice message` {
    private static func playedParts(_ ms: Int, _ spans: [(Int, Int)]) -> PlayedParts {
        var playedParts = PlayedParts(durationMs: ms)
        _ = playedParts.play(spans.map { PlayedSpan(from: $0.0, to: $0.1)! })
        return playedParts
    }

    @Test(
        arguments: [
            (10_000, [(0, 10_000)], 100, true), (10_000, [(0, 7_900)], 79, false), (10_000, [(0, 8_000)], 80, true),
            (10_000, [(0, 0)], 0, false),
            (10_000, [(0, 4_000), (3_000, 5_000), (0, 4_000)], 50, false),
            (10_000, [(5_000, 6_000), (0, 1_000)], 20, false),
            // To the end, and far beyond it.
            (10_000, [(9_500, 600_000)], 5, true), (10_000, [(9_500, 9_900)], 4, true),
            (10_000, [(9_600, 10_000)], 4, false),
            (10_000, [(10_000, 600_000)], 0, false), (10_000, [(20_000, 600_000)], 0, false),
            // In pieces without a gap, however they are cut.
            (10_000, [(0, 4_949), (4_949, 8_010)], 80, true),
            // Shorter than a step, and than the end.
            (40, [(0, 40)], 100, true), (0, [(0, 10)], 100, true), (300, [(0, 300)], 100, true),
            (300, [(0, 100)], 33, false),
        ] as [(Int, [(Int, Int)], Int, Bool)])
    func `is counted once, within its length`(ms: Int, spans: [(Int, Int)], percent: Int, isListened: Bool) {
        let playedParts = Self.playedParts(ms, spans)
        #expect(playedParts.percent == percent)
        #expect(playedParts.isListened == isListened)
    }

    @Test(arguments: [1, 2, 3, 4] as [UInt64]) func `only grows, in any order, however often`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let ms = Int.random(in: 1...120_000, using: &random)
        let spans = (0..<40).map { _ in
            let from = Int.random(in: 0...130_000, using: &random)
            return (from, min(600_000, from + Int.random(in: 0...9_000, using: &random)))
        }
        var step = PlayedParts(durationMs: ms)
        var percent = 0
        for span in spans + spans.shuffled(using: &random) {
            let before = step
            let isNew = step.play([PlayedSpan(from: span.0, to: span.1)!])
            #expect(isNew == (step != before))
            #expect(step.percent >= percent && step.percent <= 100)
            #expect(!before.isListened || step.isListened)
            percent = step.percent
        }
        #expect(step == Self.playedParts(ms, spans.shuffled(using: &random)))
        #expect(step.bits.count <= (ms / PlayedParts.stepMs + 8) / 8, "bounded by the message's length")
        #expect(PlayedParts(durationMs: ms, bits: step.bits) == step, "comes back as it was kept")
    }
}

@Suite struct `Who played a voice message` {
    private static func played(_ by: Int, _ percent: Int, _ isListened: Bool = false) -> PlaybackProgress {
        PlaybackProgress(sequence: 3, by: ParticipantNumber(by), percent: percent, isListened: isListened)
    }

    @Test func `is the brand as one to a consumer, and everybody to the brand`() {
        let playback = MessagePlayback(
            sequence: 3, author: .consumer,
            listeners: [Self.played(2, 10), Self.played(4, 60), Self.played(5, 20, true)])
        #expect(playback.visible(to: .consumer) == [Self.played(2, 60, true)])
        #expect(playback.visible(to: .brand) == playback.listeners)
    }

    @Test func `of the brand's own messages is not the consumer's business, but for what they played themselves`() {
        let playback = MessagePlayback(
            sequence: 3, author: .firstAgent, listeners: [Self.played(1, 50), Self.played(4, 60, true)])
        #expect(playback.visible(to: .consumer) == [Self.played(1, 50)])
        #expect(MessagePlayback(sequence: 3, author: .consumer, listeners: []).visible(to: .consumer) == [])
    }

    @Test func `is never its author, nor anybody of what is no voice message`() {
        let at = Timestamp(milliseconds: 1)
        let voice = Event(sequence: 3, at: at, by: .firstAgent, kind: .audio(.sample()))
        #expect(voice.voice(playedBy: .firstAgent) == nil)
        #expect(voice.voice(playedBy: .consumer) != nil)
        #expect(voice.voice(playedBy: .system) == nil)
        #expect(Event(sequence: 3, at: at, by: .firstAgent, kind: .text("a")).voice(playedBy: .consumer) == nil)
    }
}

@Suite struct `What the brand has not played` {
    private static func event(_ sequence: Int, _ by: ParticipantNumber, _ kind: Event.Kind) -> Event {
        Event(sequence: sequence, at: Timestamp(milliseconds: 1), by: by, kind: kind)
    }

    @Test func `is the consumer's voice messages that nobody listened to and that can be played`() {
        var unplayed = Unplayed()
        for sequence in 1...4 { unplayed.apply(Self.event(sequence, .consumer, .audio(.sample(ms: sequence * 1000)))) }
        unplayed.apply(Self.event(5, .firstAgent, .audio(.sample(ms: 90_000))))
        unplayed.apply(Self.event(6, .consumer, .text("a")))
        #expect(unplayed.milliseconds == 10_000)
        unplayed.apply(Self.event(7, .system, .scanned(.init(of: 1, verdict: .clean))))
        #expect(unplayed.milliseconds == 10_000)
        unplayed.apply(Self.event(8, .system, .scanned(.init(of: 2, verdict: .blocked))))
        unplayed.apply(Self.event(9, .system, .scanned(.init(of: 2, verdict: .blocked))))
        unplayed.remove(3)
        unplayed.remove(3)
        #expect(unplayed.milliseconds == 5_000)
        unplayed.apply(Self.event(10, .system, .scanned(.init(of: 4, verdict: .failed))))
        #expect(unplayed.milliseconds == 1_000)
    }

    @Test(arguments: [-1, 0, 1]) func `is counted for so many messages`(more: Int) {
        var unplayed = Unplayed()
        for sequence in 1...(Limits.unplayedMessages + more) {
            unplayed.apply(Self.event(sequence, .consumer, .audio(.sample(ms: 1))))
        }
        #expect(unplayed.milliseconds == min(Limits.unplayedMessages, Limits.unplayedMessages + more))
        #expect(unplayed.messages.last?.sequence == Limits.unplayedMessages + more, "the newest count")
    }
}

@Suite struct `Settings as they apply` {
    @Test(arguments: Role.allCases) func `name the switch that is off`(role: Role) {
        var settings = AccountSettings()
        #expect(settings.view(for: role, on: .web).audio.isOn)
        settings.audio.channels["web"] = false
        #expect(settings.view(for: role, on: .web).audio.why == .channel)
        // Administrators count as managers.
        let supervisors: Set<Role> = [.manager, .administrator]
        (settings.audio.consumers, settings.audio.agents, settings.audio.managers) = (
            role != .consumer, role != .agent, !supervisors.contains(role)
        )
        #expect(settings.view(for: role, on: .web).audio.why == .role)
        for other in Role.allCases where other != role && !supervisors.isSuperset(of: [role, other]) {
            #expect(settings.view(for: other, on: .web).audio.why == .channel)
        }
        settings.audio.enabled = false
        #expect(settings.view(for: role, on: .web).audio.why == .brand)
        #expect(throws: Rejection.self) { try settings.view(for: role, on: .web).checkAudio() }
    }

    @Test func `limit the consumer's voice messages, never the brand's`() {
        var settings = AccountSettings()
        settings.audio.maxSeconds = 15
        #expect(settings.view(for: .consumer, on: .web).audio.limitMs == 15_000)
        #expect(settings.view(for: .agent, on: .web).audio.limitMs == 120_000)
        #expect(settings.view(for: .manager, on: .web).audio.limitMs == 120_000)
    }
}
