import EarshotCore
import EarshotDomain
import EarshotModel

/// Recordings that wait for the scanner, and the verdicts on them.
enum ScanVerdictContract<Subject: StoreUnderTest>: ConversationContractSuite {
    static var checks: [ContractCheck<Subject>] { verdictChecks + sendChecks + orderChecks }

    private static var verdictChecks: [Check] {
        [
            check("A message that waits for the scanner gets its verdict once, as an event of Earshot's") { probe in
                let waiting = try await probe.keep(.waiting("w"))
                let sent = try await probe.send(waiting.content.media, key: "1").get().sequence
                try same(try await probe.kinds().last, .audio(waiting.message), "the message, which waits")
                try same(waiting.message.scan, .pending, "its state")
                try hold(try await probe.apply(.clean, to: waiting), "the first verdict")
                try hold(try await !probe.apply(.blocked, to: waiting), "a second verdict is none")
                try hold(try await !probe.apply(.clean, to: waiting), "the same again is none")
                try same(try await probe.kinds().last, .scanned(.init(of: sent, verdict: .clean)), "the verdict")
                try same(try await probe.kinds().count, 3, "events")
                try same(try await probe.recording("w")?.scan, .clean, "the recording")
                try same(try await probe.view(.sample()).state.status, .waiting, "the status is as it was")
            },
            check("A verdict that comes before the message is in the message") { probe in
                let waiting = try await probe.keep(.waiting("w"))
                try hold(
                    try await probe.apply(.clean, to: waiting), "the first verdict, before there is a conversation")
                _ = try await probe.send(waiting.content.media, key: "1").get()
                try same(try await probe.kinds().last, .audio(waiting.content), "the message, which does not wait")
                try hold(try await !probe.apply(.blocked, to: waiting), "a second verdict is none")
                try same(try await probe.kinds().count, 2, "events")
            },
            check("What is blocked cannot be sent, and is one audit entry") { probe in
                let waiting = try await probe.keep(.waiting("w"))
                let audit = AuditEntry(
                    account: Account.sample.id, at: probe.clock.now, by: "earshot", what: .audioBlocked, once: "w")
                try hold(try await probe.apply(.blocked, to: waiting, audit), "the first verdict")
                try hold(try await !probe.apply(.blocked, to: waiting, audit), "the same again is none")
                try same(try await probe.send(waiting.content.media, key: "1").refusal(), .audioBlocked, "the refusal")
                try same(
                    try await probe.storage.accounts.audit(Account.sample.id, AuditQuery(limit: 9)).count, 1,
                    "audit entries")
            },
            check("What passed at Send, and is found harmful in the whole file, is blocked after all, once") { probe in
                let passed = try await probe.keep(.passed("p"))
                let sent = try await probe.send(passed.content.media, key: "1").get().sequence
                try hold(try await !probe.apply(.clean, to: passed), "that it is clean is known")
                try hold(try await probe.apply(.blocked, to: passed), "the verdict")
                try hold(try await !probe.apply(.blocked, to: passed), "the same again is none")
                try same(
                    try await probe.kinds().last, .scanned(.init(of: sent, verdict: .blocked)), "the verdict's event")
                try same(try await probe.kinds().count, 3, "events")
            },
        ]
    }

    private static var sendChecks: [Check] {
        [
            check("A recording is sent once; its key answers again what it answered first") { probe in
                let recording = try await probe.keep(.sample)
                let first = try await probe.send(recording.content.media, key: "1").get()
                let again = try await probe.send(recording.content.media, key: "1").get()
                try same(again.sequence, first.sequence, "the answer to its key")
                try hold(again.isRepeat, "it is a repeat")
                try same(
                    try await probe.send(recording.content.media, key: "2").refusal(), .uploadSent,
                    "the refusal of another key")
                try same(
                    try await probe.send(MediaID(trusted: "none"), key: "3").refusal(), .notFound,
                    "the refusal of what there is not")
                try same(try await probe.kinds().count, 2, "events")
                try same(try await probe.recording("media-1")?.sent, first.sequence, "where it was sent")
            },
            check(
                "A private note's recording is private and sent once, and no event shows the consumer its verdict"
            ) { probe in
                try await probe.accept(.say("Hello"), key: "first", in: .sample())
                let passed = try await probe.keep(.passed("p", by: "agent-dana"))
                let note = try await probe.note(passed.content.media, key: "1").get().sequence
                let sent = try await probe.recording("p")
                try hold(sent?.sent == note && sent?.isPrivate == true, "where it was sent, and that it is private")
                try hold(
                    sent?.exists(for: "brand-consumer-1", among: .consumer) == false, "it is not there for the consumer"
                )
                try same(
                    try await probe.note(passed.content.media, key: "2").refusal(), .uploadSent,
                    "the refusal of another key")
                try hold(try await probe.apply(.blocked, to: passed), "the verdict")
                try same(try await probe.view(.sample()).state.sequence, note, "events")
                try same(try await probe.recording("p")?.scan, .blocked, "the recording")
                let waiting = try await probe.keep(.waiting("w", by: "agent-dana"))
                try same(
                    try await probe.note(waiting.content.media, key: "3").refusal(), .audioPending,
                    "the refusal of what waits for the scanner")
            },
        ]
    }

    private static var orderChecks: [Check] {
        [
            check("The verdict and the message, asked for at once, come out right") { probe in
                for number in 1...20 {
                    let waiting = try await probe.keep(.waiting("w\(number)"))
                    async let settled = probe.apply(.clean, to: waiting)
                    async let sent = probe.send(waiting.content.media, key: "\(number)")
                    try hold(try await settled, "the first verdict")
                    let sequence = try await sent.get().sequence
                    let kinds = try await probe.kinds()
                    let isAfter =
                        kinds.last == .scanned(.init(of: sequence, verdict: .clean))
                        && kinds[sequence - 1] == .audio(waiting.message)
                    try hold(
                        isAfter || kinds.last == .audio(waiting.content),
                        "the message waits and is let through, or does not wait")
                }
            },
            check(
                "A verdict after the store opens again finds its message",
                before: { probe in
                    let waiting = try await probe.keep(.waiting("w"))
                    return try await probe.send(waiting.content.media, key: "1").get().sequence
                },
                afterReopening: { probe, sent in
                    let waiting = try await probe.storage.accounts.recordings(waitingForScanAfter: nil, limit: 9)
                    try same(waiting.map(\.content.media.rawValue), ["w"], "what waits")
                    try hold(try await probe.apply(.failed, to: waiting[0]), "the first verdict")
                    try same(try await probe.kinds().last, .scanned(.init(of: sent, verdict: .failed)), "the verdict")
                    try same(
                        try await probe.storage.accounts.recordings(waitingForScanAfter: nil, limit: 9).count, 0,
                        "what waits now")
                }),
        ]
    }
}

extension StoreProbe {
    func keep(_ recording: RecordedMedia) async throws -> RecordedMedia {
        try await storage.accounts.keep(recording)
    }

    func recording(_ media: String) async throws -> RecordedMedia? {
        try await storage.accounts.recording(MediaID(trusted: media), in: ConversationIdentity.sample().id)
    }

    /// Sends a recording, as the service does.
    func send(_ media: MediaID, key: String) async -> Answer {
        let identity = ConversationIdentity.sample()
        return await perform(
            Change(
                .existingOrNew(identity),
                .init(
                    author: identity.consumer.rawValue, key: IdempotencyKey(trusted: key),
                    digest: Array(media.rawValue.utf8), at: clock.now),
                recording: media,
                decide: { state, recording throws(Rejection) in
                    try RecordedMedia.sent(&recording, by: identity.consumer.rawValue) { audio throws(Rejection) in
                        (
                            try state.decide(
                                .send(.audio(audio)), by: .consumer, in: Context(now: Timestamp(milliseconds: 0))),
                            state.sequence
                        )
                    }
                }))
    }

    /// Dana writes a private note that is this recording, as the service does.
    func note(_ media: MediaID, key: String) async -> Answer {
        let identity = ConversationIdentity.sample()
        return await perform(
            Change(
                .existing(identity.id),
                .init(
                    author: "agent-dana", key: IdempotencyKey(trusted: key), digest: Array(media.rawValue.utf8),
                    at: clock.now),
                recording: media,
                decide: { state, recording throws(Rejection) in
                    try RecordedMedia.sent(&recording, by: "agent-dana") { audio throws(Rejection) in
                        let context = Context(now: Timestamp(milliseconds: 0), audio: audio)
                        return (
                            try state.decide(.note(.init(audio: audio.media)), by: .dana, in: context),
                            state.sequence
                        )
                    }
                }))
    }

    func apply(_ verdict: Verdict, to recording: RecordedMedia, _ audit: AuditEntry? = nil) async throws -> Bool {
        try await store.apply(
            ScanVerdict(
                media: recording.content.media, conversation: recording.conversation, verdict: verdict, at: clock.now,
                audit: audit))
    }

    func kinds() async throws -> [Event.Kind] {
        try await store.page(ConversationIdentity.sample().id, before: .max, limit: 1000).map { try $0.decoded().kind }
    }
}
