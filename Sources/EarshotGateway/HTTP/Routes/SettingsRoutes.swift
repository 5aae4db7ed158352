import EarshotCore
import EarshotModel
import HTTPTypes
import Hummingbird
import Logging

/// The brand's settings and its audit log.
struct SettingsRoutes: Sendable {
    let settings: SettingsService
    let audit: AuditService
    let logger: Logger

    /// Wider than what can be set, so that a value out of range is refused by name, with its bound.
    private static let numbers = -1_000_000...1_000_000

    var routes: [Route] {
        [
            Route(.get, "/v1/settings", .agent(nil, read)),
            Route(
                .patch, "/v1/settings",
                body: .json([
                    .optional("cardNumbers", .text(bytes: 20)),
                    .optional(
                        "history",
                        .object([.optional("days", .integer(Self.numbers)), .optional("closed", .boolean)])),
                    .optional(
                        "calls",
                        .object([
                            .optional("voice", .boolean), .optional("video", .boolean), .optional("requests", .boolean),
                        ])),
                    .optional(
                        "audio",
                        .object([
                            .optional("enabled", .boolean), .optional("consumers", .boolean),
                            .optional("agents", .boolean),
                            .optional("managers", .boolean), .optional("channels", .switches),
                            .optional("maxSeconds", .integer(Self.numbers)),
                            .optional("keep", .integer(Self.numbers)), .optional("originals", .boolean),
                        ])),
                ]), .agent(.changeSettings, change)),
            Route(.get, "/v1/audit", .agent(.readAudit, entries)),
        ]
    }

    @Sendable private func read(_ request: CheckedRequest, _ signedIn: SignedIn, cookie: String) async throws
        -> Response
    {
        try .json(try await settings.settings(of: signedIn.caller.account))
    }

    @Sendable private func change(_ request: CheckedRequest, _ signedIn: SignedIn, cookie: String) async throws
        -> Response
    {
        do {
            return try .json(try await settings.change(SettingsPatch(request.fields), as: signedIn.caller))
        } catch let rejection as Rejection where rejection.code == .settingOutOfRange {
            logger.warning(
                "A setting was refused: it is out of range.",
                metadata: [
                    "account": "\(signedIn.caller.account)", "by": "\(signedIn.caller.id)", "why": "\(rejection.text)",
                ])
            throw rejection
        }
    }

    @Sendable private func entries(_ request: CheckedRequest, _ signedIn: SignedIn, cookie: String) async throws
        -> Response
    {
        let page = try await audit.page(Self.query(request.query), as: signedIn.caller)
        return try .json(Entries(entries: page.rows.map(Entry.init), more: page.hasMore))
    }

    private static func query(_ asked: Query) throws(Rejection) -> AuditQuery {
        let limit = try asked.number("limit", atMost: AuditService.pageEntriesMaximum) ?? AuditService.pageEntries
        var query = AuditQuery(before: try asked.number("before"), by: try asked.text("by"), limit: limit)
        if let text = try asked.text("conversation") {
            guard let conversation = ConversationID(text) else {
                throw Rejection(.badRequest, "?conversation= must be the id of a conversation.")
            }
            query.conversation = conversation
        }
        query.from = try asked.typedNumber("from").map(Timestamp.init(milliseconds:))
        query.to = try asked.typedNumber("to").map(Timestamp.init(milliseconds:))
        for name in try asked.text("what")?.split(separator: ",") ?? [] {
            guard let action = AuditAction(rawValue: String(name)) else {
                throw Rejection(.badRequest, "?what= must be actions of the audit log, divided by commas.")
            }
            query.actions.insert(action)
        }
        return query
    }
}

extension SettingsRoutes {
    private struct Entries: Encodable {
        let entries: [Entry]
        let more: Bool
    }

    private struct Entry: Encodable {
        let id: Int64
        let at: Timestamp
        let by: String
        let what: AuditAction
        let conversation: ConversationID?
        let media: MediaID?
        let detail: String?
        let address: String?

        init(_ row: AuditRow) {
            let entry = row.entry
            (id, at, by, what) = (row.id, entry.at, entry.by, entry.what)
            (conversation, media, detail, address) = (entry.conversation, entry.media, entry.detail, entry.address)
        }
    }
}

extension SettingsPatch {
    /// - Throws: `bad_request` where it would change nothing.
    fileprivate init(_ fields: Fields) throws(Rejection) {
        let cardNumbers = fields.optionalText("cardNumbers")
        let known = cardNumbers.flatMap(AccountSettings.CardNumbers.init)
        guard (cardNumbers == nil) == (known == nil) else {
            throw Rejection(.badRequest, "cardNumbers is \"masked\" or \"kept\".")
        }
        let audio = fields.optionalObject("audio")
        let history = fields.optionalObject("history")
        let calls = fields.optionalObject("calls")
        guard audio != nil || known != nil || history != nil || calls != nil else {
            throw Rejection(.badRequest, "Name a setting to change: audio, calls, cardNumbers or history.")
        }
        self.init(
            audio: audio.map(AudioSettingsPatch.init) ?? AudioSettingsPatch(), cardNumbers: known,
            historyDays: history?.optionalInteger("days"), historyClosed: history?.optionalFlag("closed"),
            calls: calls.map(CallSettingsPatch.init) ?? CallSettingsPatch())
    }
}

extension CallSettingsPatch {
    fileprivate init(_ fields: Fields) {
        self.init(
            voice: fields.optionalFlag("voice"), video: fields.optionalFlag("video"),
            requests: fields.optionalFlag("requests"))
    }
}

extension AudioSettingsPatch {
    fileprivate init(_ fields: Fields) {
        self.init()
        enabled = fields.optionalFlag("enabled")
        consumers = fields.optionalFlag("consumers")
        agents = fields.optionalFlag("agents")
        managers = fields.optionalFlag("managers")
        channels = fields.optionalSwitches("channels") ?? [:]
        maxSeconds = fields.optionalInteger("maxSeconds")
        keep = fields.optionalInteger("keep")
        originals = fields.optionalFlag("originals")
    }
}
