import EarshotCore
import EarshotDomain
import EarshotModel
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// Search for conversations and people, and saved views.
struct SearchRoutes: Sendable {
    private static let wordBytes = 400
    private static let bestRating = 5

    let search: SearchService
    let routing: RoutingService
    let audit: AuditService
    let centre: ContactCentreService
    let links: PasswordLinkService
    let secondFactors: SecondFactorService

    var routes: [Route] {
        [
            Route(.get, "/v1/agents", .agent(.readConversations, agents)),
            Route(.get, "/v1/search", .agent(.searchConversations, find)),
            Route(.get, "/v1/search.csv", allowance: .downloads, .agent(.exportConversations, list)),
            Route(.get, "/v1/tags", .agent(.readConversations, tags)),
            Route(.get, "/v1/views", .agent(.readConversations, views)),
            Route(
                .put, "/v1/views", body: .document([.required("views", .anything)]), .agent(.readConversations, save)),
        ]
    }

    @Sendable private func agents(_ request: CheckedRequest, _ signedIn: SignedIn, cookie: String) async throws
        -> Response
    {
        let isManager = signedIn.caller.may(.changePeople)
        let people = try await search.people(as: signedIn.caller)
        let ends = isManager ? try await links.ends(as: signedIn.caller) : [:]
        let secured = isManager ? try await secondFactors.people(as: signedIn.caller) : []
        // Colleagues learn of people who have not joined yet when they join.
        let shown = isManager ? people : people.filter { !$0.isInvited }
        return try .json([
            "agents": shown.map { person in
                Person(
                    person, isForManager: isManager, linkEnds: ends[person.id],
                    hasSecondFactor: secured.contains(person.id))
            }
        ])
    }

    @Sendable private func find(_ request: CheckedRequest, _ signedIn: SignedIn, cookie: String) async throws
        -> Response
    {
        let page = try await search.search(try Self.search(request.query), as: signedIn.caller)
        try await audit.noteSearch(by: signedIn.caller)
        let account = signedIn.caller.account
        let found = page.found.map { SearchResult(row: routing.complete($0.row, of: account), match: $0.match) }
        return try .json(Page(rows: found.map(Line.init), more: page.hasMore))
    }

    @Sendable private func list(_ request: CheckedRequest, _ signedIn: SignedIn, cookie: String) async throws
        -> Response
    {
        let zone = try request.query.text("zone") ?? "UTC"
        guard Zone.isKnown(zone) else {
            throw Rejection(.badRequest, "?zone= must be the name of a time zone, such as Europe/Berlin.")
        }
        let found = try await search.list(try Self.search(request.query), as: signedIn.caller)
        if request.head.method != .head { try await audit.noteList(of: found.count, by: signedIn.caller) }
        let skills = try await centre.centre(of: signedIn.caller.account).skills
        let list = ConversationListCSV(
            zone: zone, skills: Dictionary(skills.map { ($0.id, $0.name) }) { first, _ in first })
        var headers: HTTPFields = [
            .contentType: "text/csv; charset=utf-8", .cacheControl: "no-store",
            .contentSecurityPolicy: "sandbox; default-src 'none'",
            .contentDisposition: "attachment; filename=\"conversations.csv\"",
        ]
        headers.complete(with: [("cross-origin-resource-policy", "same-origin")])
        guard request.head.method != .head else { return Response(status: .ok, headers: headers) }
        let lines = found.map { list.line(of: $0.row, found: $0.match?.text) }
        let text = list.beginning + lines.joined()
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }

    @Sendable private func tags(_ request: CheckedRequest, _ signedIn: SignedIn, cookie: String) async throws
        -> Response
    {
        try .json(["tags": try await search.tags(as: signedIn.caller)])
    }

    @Sendable private func views(_ request: CheckedRequest, _ signedIn: SignedIn, cookie: String) async throws
        -> Response
    {
        let me = signedIn.caller.id
        return try .json([
            "views": try await search.views(as: signedIn.caller).map { View($0.view, by: $0.by == me ? nil : $0.by) }
        ])
    }

    @Sendable private func save(_ request: CheckedRequest, _ signedIn: SignedIn, cookie: String) async throws
        -> Response
    {
        guard let views = try? JSONDecoder().decode([SavedView].self, from: Data(request.fields.anything("views")))
        else {
            throw Rejection(.badRequest, "views must be a list of {id, name, shared, filter}.")
        }
        try await search.save(views, as: signedIn.caller)
        return try await self.views(request, signedIn, cookie: cookie)
    }

    private static func search(_ query: Query) throws(Rejection) -> SearchQuery {
        var search = SearchQuery(
            limit: try query.typedNumber("limit", atMost: SearchService.limit) ?? SearchService.limit)
        let words = try query.text("q")?.trimmingCharacters(in: .whitespacesAndNewlines)
        guard (words?.utf8.count ?? 0) <= wordBytes else {
            throw Rejection(.badRequest, "?q= is too long.", limit: wordBytes)
        }
        search.words = words?.isEmpty == true ? nil : words
        if let status = try query.text("status") {
            guard let known = ConversationStatus(rawValue: status) else {
                throw Rejection(.badRequest, "?status= must be new, waiting, open or closed.")
            }
            search.status = known
        }
        search.skill = try query.id("skill")
        search.agent = try query.id("agent")
        search.tag = try query.text("tag")
        search.csat = try query.typedNumber("csat", atMost: bestRating)
        search.from = try query.typedNumber("from").map(Timestamp.init(milliseconds:))
        search.to = try query.typedNumber("to").map(Timestamp.init(milliseconds:))
        search.before = try query.typedNumber("before")
        return search
    }
}

extension SearchRoutes {
    private struct Person: Encodable {
        let id: AgentID
        let name: String
        let email: String?
        let role: Role
        /// Omitted for people with the built-in profile of their role.
        let profile: ProfileID?
        /// Omitted for people who may sign in.
        let disabled: Bool?
        /// Omitted for people who have set a password.
        let invited: Bool?
        /// When the link ends with which the person can set a password.
        let linkEnds: Timestamp?
        /// Omitted for people without a second factor.
        let secondFactor: Bool?

        init(_ agent: Agent, isForManager: Bool, linkEnds: Timestamp?, hasSecondFactor: Bool) {
            (id, name, role) = (agent.id, agent.name, agent.role)
            email = isForManager ? agent.email : nil
            profile = isForManager ? agent.profile : nil
            disabled = agent.isDisabled ? true : nil
            invited = agent.isInvited ? true : nil
            self.linkEnds = linkEnds
            secondFactor = hasSecondFactor ? true : nil
        }
    }

    private struct Page: Encodable {
        let rows: [Line]
        let more: Bool
    }

    /// An inbox row with one member more.
    private struct Line: Encodable {
        let found: SearchResult

        init(_ found: SearchResult) { self.found = found }

        private enum Key: CodingKey { case match }

        func encode(to encoder: any Encoder) throws {
            try found.row.encode(to: encoder)
            var fields = encoder.container(keyedBy: Key.self)
            try fields.encodeIfPresent(found.match, forKey: .match)
        }
    }

    private struct View: Encodable {
        let id: String
        let name: String
        let shared: Bool
        let filter: [String: FilterValue]
        /// The owner, where it is another person.
        let by: AgentID?

        init(_ view: SavedView, by: AgentID?) {
            (id, name, shared, filter) = (view.id, view.name, view.shared, view.filter)
            self.by = by
        }
    }
}

extension Query {
    /// Decimal digits, at least 1.
    static func digits(_ text: String) -> Int64? {
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int64(text), number > 0 else {
            return nil
        }
        return number
    }

    func number(_ name: String) throws(Rejection) -> Int64? { try Self.number(self[name], name) }

    /// A number from 1 to `maximum`.
    func number(_ name: String, atMost maximum: Int) throws(Rejection) -> Int? {
        try Self.number(try number(name), name, atMost: maximum)
    }

    /// A number from 1 to `maximum` in a query that also has typed text.
    func typedNumber(_ name: String, atMost maximum: Int) throws(Rejection) -> Int? {
        try Self.number(try typedNumber(name), name, atMost: maximum)
    }

    private static func number(_ number: Int64?, _ name: String, atMost maximum: Int) throws(Rejection) -> Int? {
        guard let number else { return nil }
        guard number <= maximum else {
            throw Rejection(.badRequest, "?\(name)= must be a number from 1 to \(maximum).", limit: maximum)
        }
        return Int(number)
    }

    /// An id in a query that also has typed text.
    func typedNumber(_ name: String) throws(Rejection) -> Int64? { try Self.number(try text(name), name) }

    func id<Tag>(_ name: String) throws(Rejection) -> Identifier<Tag>? {
        guard let text = try text(name) else { return nil }
        guard let id = Identifier<Tag>(text) else { throw Rejection(.badRequest, "?\(name)= must be an id.") }
        return id
    }

    private static func number(_ text: String?, _ name: String) throws(Rejection) -> Int64? {
        guard let text else { return nil }
        guard let number = digits(text) else { throw Rejection(.badRequest, "?\(name)= must be a number from 1.") }
        return number
    }
}
