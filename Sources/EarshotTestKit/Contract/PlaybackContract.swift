import EarshotCore
import EarshotDomain
import EarshotModel

/// How far each participant played voice messages.
enum PlaybackContract<Subject: StoreUnderTest>: ConversationContractSuite {
    static var checks: [ContractCheck<Subject>] { listenerChecks + unplayedChecks }

    private static var listenerChecks: [Check] {
        [
            check("Playback adds up, is notified, moves the row, and is found by number and by position") {
                probe in
                try await probe.accept(.play(.sample(ms: 10_000)), key: "1", in: .sample())
                try await probe.accept(.take, key: "2", in: .sample(), by: .dana)
                let before = try await probe.row()
                try same(before?.unplayed, 10_000, "unplayed at first")
                await probe.play(2, [(0, 3_000)], by: .dana)
                await probe.play(2, [(2_000, 5_000)], by: .dana)
                try same(
                    try await probe.played(2),
                    [PlaybackProgress(sequence: 2, by: .firstAgent, percent: 50, isListened: false)], "half of it")
                try same(try await probe.row()?.unplayed, 10_000, "half is not listened")
                let position = try await probe.view(.sample()).marks.playbackPosition
                try hold(position > before?.position ?? .max, "the feed moved")
                try same(
                    try await probe.store.played(ConversationIdentity.sample().id, changedAfter: position).count, 0,
                    "nothing after that")
                await probe.play(2, [(5_000, 8_000)], by: .dana)
                let changed = try await probe.store.played(ConversationIdentity.sample().id, changedAfter: position)
                try same(
                    changed.flatMap(\.listeners),
                    [PlaybackProgress(sequence: 2, by: .firstAgent, percent: 80, isListened: true)], "what changed")
                try same(try await probe.row()?.unplayed, nil, "unplayed at last")
            },
            check(
                "Playback counts only for participants other than the author, and only of voice messages"
            ) { probe in
                try await probe.accept(.play(.sample("a", ms: 10_000)), key: "1", in: .sample())
                try await probe.accept(.take, key: "2", in: .sample(), by: .dana)
                try await probe.accept(.play(.sample("b", ms: 10_000)), key: "3", in: .sample(), by: .dana)
                let last = try await probe.view(.sample()).state.sequence
                probe.raise(playing: 2, [(0, 10_000)], by: .consumer)
                probe.raise(playing: 2, [(0, 10_000)], by: .mona)
                probe.raise(playing: last, [(0, 10_000)], by: .dana)
                for number in [-1, 0, 1, 3, 99, Int.max] { probe.raise(playing: number, [(0, 10_000)], by: .dana) }
                probe.raise(playing: 2, [(0, 10_000)], by: .dana, in: .sample(9))
                await probe.play(last, [(0, 1_000)], by: .consumer)
                let all = try await probe.store.played(ConversationIdentity.sample().id, from: 0, through: .max)
                try same(
                    all.flatMap(\.listeners),
                    [PlaybackProgress(sequence: last, by: .consumer, percent: 10, isListened: false)], "what was played"
                )
                try same(try await probe.row()?.unplayed, 10_000, "unplayed")
            },
        ]
    }

    private static var unplayedChecks: [Check] {
        [
            check("What nobody can play is not unplayed, and cannot be played by others") { probe in
                let waiting = RecordedMedia.waiting("w", ms: 4_000)
                _ = try await probe.keep(waiting)
                try await probe.accept(.play(.sample(ms: 10_000)), key: "1", in: .sample())
                try await probe.accept(.take, key: "2", in: .sample(), by: .dana)
                let sent = try await probe.send(waiting.content.media, key: "3").get().sequence
                try same(try await probe.row()?.unplayed, 14_000, "unplayed while it waits")
                probe.raise(playing: sent, [(0, 4_000)], by: .dana)
                await probe.play(2, [(0, 10_000)], by: .dana)
                try same(try await probe.played(sent), [], "what waits is played by nobody")
                try hold(try await probe.apply(.blocked, to: waiting), "the first verdict")
                try same(try await probe.row()?.unplayed, nil, "unplayed once it is blocked")
            },
            check(
                "What was played, and what was not, is there after the store opens again",
                before: { probe in
                    try await probe.accept(.play(.sample("a", ms: 10_000)), key: "1", in: .sample())
                    try await probe.accept(.play(.sample("b", ms: 7_000)), key: "2", in: .sample())
                    try await probe.accept(.take, key: "3", in: .sample(), by: .dana)
                    probe.raise(playing: 2, [(0, 4_000)], by: .dana)
                    probe.raise(playing: 3, [(6_500, 7_000)], by: .dana)
                },
                afterReopening: { probe, _ in
                    try same(
                        try await probe.played(3),
                        [PlaybackProgress(sequence: 3, by: .firstAgent, percent: 7, isListened: true)], "the second")
                    try same(try await probe.row()?.unplayed, 10_000, "unplayed")
                    await probe.play(2, [(4_000, 8_000)], by: .dana)
                    try same(
                        try await probe.played(2),
                        [PlaybackProgress(sequence: 2, by: .firstAgent, percent: 80, isListened: true)],
                        "the first, further")
                    try same(try await probe.row()?.unplayed, nil, "unplayed later")
                }),
        ]
    }
}

extension StoreProbe {
    func raise(
        playing sequence: Int, _ spans: [(Int, Int)], by actor: Actor, in identity: ConversationIdentity = .sample()
    ) {
        let spans = spans.compactMap { PlayedSpan(from: $0.0, to: $0.1) }
        guard let played = ClientFrame.Played(sequence, in: nil, spans: spans) else { return }
        store.raise(
            WatermarkUpdate(conversation: identity.id, delivered: 0, read: 0, played: played) { $0.participant(actor) })
    }

    /// Raises it, and returns once it is stored.
    func play(_ sequence: Int, _ spans: [(Int, Int)], by actor: Actor) async {
        let before = listener.notifications.count { $0.marksMoved }
        raise(playing: sequence, spans, by: actor)
        await listener.wait { $0.count { $0.marksMoved } > before }
    }

    func played(_ sequence: Int) async throws -> [PlaybackProgress] {
        try await store.played(ConversationIdentity.sample().id, from: sequence, through: sequence).flatMap(\.listeners)
    }

    func row() async throws -> InboxRow? {
        try await store.inbox(ConversationIdentity.sample().account, after: nil).rows.first
    }
}
