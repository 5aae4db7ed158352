import EarshotCore
import EarshotDomain
import EarshotModel
import HTTPTypes
import Hummingbird

/// How long conversations are kept, legal holds, and the erasure of consumers. For managers.
struct PrivacyRoutes: Sendable {
    /// Wider than what can be set, so that a value out of range is refused with its bound.
    private static let numbers = -1_000_000...1_000_000
    private static let reasonBytes = 4096
    private static let subjectBytes = 255

    let privacy: PrivacyService
    let access: ConversationAccess
    let identity: IdentityService

    var routes: [Route] {
        let reason: [Field] = [.required("reason", .text(bytes: Self.reasonBytes))]
        let hold = "/v1/conversations/{conversation}/hold"
        return [
            Route(.get, "/v1/retention", .agent(.changeRetention, read)),
            Route(
                .put, "/v1/retention", body: .json([.required("days", .integer(Self.numbers))]),
                .agent(.changeRetention, change)),
            Route(.put, hold, body: .json(reason), .agent(.changeRetention, placeHold)),
            Route(.delete, hold, body: .json([]), .agent(.changeRetention, liftHold)),
            Route(
                .post, "/v1/conversations/{conversation}/erasure", body: .json(reason),
                .agent(.changeRetention, erase)),
            Route(
                .post, "/v1/erasures",
                body: .json(
                    reason + [
                        .optional("consumer", .identifier), .optional("issuer", .text(bytes: Self.subjectBytes)),
                        .optional("subject", .text(bytes: Self.subjectBytes)),
                    ]), .agent(.changeRetention, eraseConsumers)),
        ]
    }

    @Sendable private func read(_ request: CheckedRequest, _ signedIn: SignedIn, cookie: String) async throws
        -> Response
    {
        let days = try request.query.number("days", atMost: RetentionPeriod.allowedDays.upperBound)
        let overview = try await privacy.overview(days: days, as: signedIn.caller)
        var names: [ConversationID: String] = [:]
        for hold in overview.holds {
            names[hold.conversation] = try await name(in: hold.conversation, for: signedIn.caller)
        }
        return try .json(Answer(overview, names: names))
    }

    /// The name of a conversation's consumer; `nil` of one that cannot be opened.
    private func name(in conversation: ConversationID, for agent: AgentCaller) async throws -> String? {
        do {
            let open = try await access.open(conversation, as: .agent(agent))
            return try await identity.card(of: open.identity.consumer, for: .agent(agent), by: access).name
        } catch is Rejection {
            return nil
        }
    }

    @Sendable private func change(_ request: CheckedRequest, _ signedIn: SignedIn, cookie: String) async throws
        -> Response
    {
        let days = request.fields.optionalInteger("days") ?? 0
        try await privacy.keep(days: days, as: signedIn.caller)
        return try .json(["days": days])
    }

    @Sendable private func placeHold(_ request: CheckedRequest, _ signedIn: SignedIn, cookie: String) async throws
        -> Response
    {
        let open = try await access.open(request.identifier("conversation"), as: .agent(signedIn.caller))
        try await privacy.hold(open, reason: request.fields.text("reason"), as: signedIn.caller)
        return .nothing
    }

    @Sendable private func liftHold(_ request: CheckedRequest, _ signedIn: SignedIn, cookie: String) async throws
        -> Response
    {
        let open = try await access.open(request.identifier("conversation"), as: .agent(signedIn.caller))
        try await privacy.lift(open, as: signedIn.caller)
        return .nothing
    }

    @Sendable private func erase(_ request: CheckedRequest, _ signedIn: SignedIn, cookie: String) async throws
        -> Response
    {
        let open = try await access.open(request.identifier("conversation"), as: .agent(signedIn.caller))
        try await privacy.erase(open, reason: request.fields.text("reason"), as: signedIn.caller)
        return .nothing
    }

    @Sendable private func eraseConsumers(_ request: CheckedRequest, _ signedIn: SignedIn, cookie: String) async throws
        -> Response
    {
        let fields = request.fields
        let selection: ConsumerSelection
        switch (
            fields.optionalText("consumer").flatMap(ConsumerID.init), fields.optionalText("issuer"),
            fields.optionalText("subject")
        ) {
        case (let id?, nil, nil): selection = .consumer(id)
        case (nil, let issuer?, let subject?): selection = .subject(.init(issuer: issuer, subject: subject))
        default: throw Rejection(.badRequest, "Send either \"consumer\", or \"issuer\" and \"subject\".")
        }
        let count = try await privacy.erase(selection, reason: fields.text("reason"), as: signedIn.caller)
        return try .json(["erasures": count])
    }

    private struct Answer: Encodable {
        let days: Int
        let due: RemovalCounts
        let waitsForClock: Bool
        let holds: [Hold]
        let receipts: [Receipt]

        init(_ overview: PrivacyService.Overview, names: [ConversationID: String]) {
            (days, due, waitsForClock) = (overview.days, overview.due, overview.waitsForClock)
            holds = overview.holds.map { Hold($0, who: names[$0.conversation]) }
            receipts = overview.receipts.map(Receipt.init)
        }
    }

    private struct Hold: Encodable {
        let conversation: ConversationID
        /// The consumer's name.
        let who: String?
        let by: String
        let reason: String
        let at: Timestamp

        init(_ hold: LegalHold, who: String?) {
            self.who = who
            (conversation, by, reason, at) = (hold.conversation, hold.by, hold.reason, hold.at)
        }
    }

    private struct Receipt: Encodable {
        /// What was signed, byte for byte.
        let signed: String
        let signature: String

        init(_ receipt: SignedReceipt) {
            signed = String(decoding: receipt.payload, as: UTF8.self)
            signature = Base64URL.encode(receipt.signature)
        }
    }
}
