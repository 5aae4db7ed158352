import EarshotCore
import EarshotDomain
import EarshotModel
import HTTPTypes
import Hummingbird

/// The contact-centre settings: docs/protocol.md section 7.
struct ContactCentreRoutes: Sendable {
    private static let factBytes = 2048
    private static let attributeBytes = 8192
    private static let versions = 1...Int(Int32.max)

    let centre: ContactCentreService
    let accounts: SearchService

    var routes: [Route] {
        [
            Route(.get, "/v1/centre", .agent(nil, read)),
            Route(
                .put, "/v1/centre/{section}",
                body: .document([.required("v", .integer(Self.versions)), .required("value", .anything)]),
                .agent(.changeSettings, put)),
            Route(.get, "/v1/centre/history", .agent(.changeSettings, history)),
            Route(.get, "/v1/centre/history/{v}", .agent(.changeSettings, revision)),
            Route(
                .post, "/v1/centre/undo", body: .json([.required("v", .integer(Self.versions))]),
                .agent(.changeSettings, undo)),
            Route(
                .post, "/v1/centre/try",
                body: .document([
                    .optional("page", .text(bytes: Self.factBytes)),
                    .optional("language", .text(bytes: Self.factBytes)),
                    .optional("channel", .text(bytes: Self.factBytes)), .optional("app", .text(bytes: Self.factBytes)),
                    .optional("attributes", .texts(bytes: Self.attributeBytes)), .optional("rules", .anything),
                ]), .agent(.changeSettings, tryOut)),
        ]
    }

    @Sendable private func read(_ request: CheckedRequest, _ signedIn: SignedIn, cookie: String) async throws
        -> Response
    {
        try .json(try await centre.centre(of: signedIn.caller.account))
    }

    @Sendable private func put(_ request: CheckedRequest, _ signedIn: SignedIn, cookie: String) async throws -> Response
    {
        guard let section = request.parameters.get("section").flatMap(ContactCentreSettings.Section.init(rawValue:))
        else {
            throw Rejection.notFound
        }
        let fields = request.fields
        if request.query["validate"] == "1" {
            try await centre.validate(
                section, fields.anything("value"), seen: fields.integer("v"), as: signedIn.caller)
            return .nothing
        }
        return try .json(
            try await centre.put(section, fields.anything("value"), seen: fields.integer("v"), as: signedIn.caller))
    }

    @Sendable private func undo(_ request: CheckedRequest, _ signedIn: SignedIn, cookie: String) async throws
        -> Response
    {
        try .json(try await centre.undo(request.fields.integer("v"), as: signedIn.caller))
    }

    @Sendable private func history(_ request: CheckedRequest, _ signedIn: SignedIn, cookie: String) async throws
        -> Response
    {
        let before = try request.query.number("before").map(Int.init)
        let limit =
            try request.query.number("limit", atMost: ContactCentreService.pageRevisionsMaximum)
            ?? ContactCentreService.pageRevisions
        let page = try await centre.history(before: before, limit: limit, as: signedIn.caller)
        let names = Dictionary(try await accounts.people(as: signedIn.caller).map { ($0.id.rawValue, $0.name) }) {
            first, _ in first
        }
        return try .json(History(revisions: page.revisions.map { Line($0, byName: names[$0.by]) }, more: page.hasMore))
    }

    @Sendable private func revision(_ request: CheckedRequest, _ signedIn: SignedIn, cookie: String) async throws
        -> Response
    {
        guard let version = request.parameters.get("v").flatMap(Query.digits) else { throw Rejection.notFound }
        let revision = try await centre.revision(Int(version), as: signedIn.caller)
        let (before, after) = (try StrictJSON.parse(revision.before), try StrictJSON.parse(revision.after))
        let whole: [String: JSONValue] = [
            "v": .integer(revision.version), "section": .string(revision.section.rawValue), "before": before,
            "after": after,
        ]
        return .json(bytes: JSONValue.object(whole).encoded)
    }

    @Sendable private func tryOut(_ request: CheckedRequest, _ signedIn: SignedIn, cookie: String) async throws
        -> Response
    {
        let fields = request.fields
        let facts = RouteFacts(
            page: fields.optionalText("page"), language: fields.optionalText("language"),
            channel: fields.optionalText("channel"),
            app: fields.optionalText("app"), attributes: fields.optionalTexts("attributes") ?? [:])
        let (routed, rules) = try await centre.route(
            facts, by: fields.optionalAnything("rules"), as: signedIn.caller)
        return try .json(Trial(routed, names: Dictionary(rules.map { ($0.id, $0.name) }) { first, _ in first }))
    }
}

extension ContactCentreRoutes {
    private struct History: Encodable {
        let revisions: [Line]
        let more: Bool
    }

    private struct Line: Encodable {
        let v: Int
        let at: Timestamp
        let by: String
        let byName: String?
        let section: ContactCentreSettings.Section
        let undoes: Int?

        init(_ revision: ContactCentreRevision, byName: String?) {
            (v, at, by, section, undoes) = (
                revision.version, revision.at, revision.by, revision.section, revision.undoes
            )
            self.byName = byName
        }
    }

    /// The result of each rule; `failed` says in words why it did not match.
    private struct Trial: Encodable {
        let skill: SkillID
        let urgent: Bool
        let rules: [Rule]

        struct Rule: Encodable {
            let id: String
            let name: String
            let fits: Bool
            let failed: String?
        }

        init(_ routed: Routed, names: [String: String]) {
            (skill, urgent) = (routed.skill, routed.urgent)
            rules = routed.explanation.map { finding in
                let isFit = finding.outcome == .won || finding.outcome == .outranked
                return Rule(
                    id: finding.rule, name: names[finding.rule] ?? finding.rule, fits: isFit, failed: finding.reason)
            }
        }
    }
}

extension Routed.Finding {
    /// Why it did not match; `nil` where it did.
    fileprivate var reason: String? {
        switch outcome {
        case .won: return nil
        case .outranked: return "A rule above it won."
        case .off: return "It is switched off."
        case .noSkill: return "Its skill is gone."
        case .failed:
            guard let check = checks.first(where: { !$0.holds }) else { return nil }
            let condition = check.condition
            let wanted = condition.test == .exists ? "" : " \"\(condition.value)\""
            return
                "\(condition.of) \(condition.test.rawValue)\(wanted): "
                + "found \(check.found.map { "\"\($0)\"" } ?? "nothing")."
        }
    }
}
