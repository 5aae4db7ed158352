import EarshotCore
import EarshotDomain
import EarshotModel
import Foundation
import HTTPTypes
import Hummingbird

/// Where programs read the brand's conversations and recordings.
struct HistoryRoutes: Sendable {
    private static let wordBytes = 400
    private static let cursorBytes = 64

    let history: HistoryService
    let media: MediaService
    let reader: FileReader

    var routes: [Route] {
        [
            Route(.get, "/v1/history/conversations", .program(search)),
            Route(.get, "/v1/history/conversations/{conversation}", .program(events)),
            Route(.get, "/v1/history/recordings/{media}", .program(recording)),
        ]
    }

    @Sendable private func search(_ request: CheckedRequest, _ program: ProgramCaller) async throws -> Response {
        let query = request.query
        let page = try await history.search(try Self.search(query), after: try Self.cursor(query), as: program)
        return try .json(Page(rows: page.rows.map(HistoryAnswer.init), next: page.next))
    }

    @Sendable private func events(_ request: CheckedRequest, _ program: ProgramCaller) async throws -> Response {
        let query = request.query
        let found = try await history.events(
            of: request.identifier("conversation"), after: try Self.cursor(query), limit: try Self.limit(query),
            as: program)
        return try .json(
            Events(
                conversation: HistoryAnswer(found.conversation), events: found.entries.map(HistoryEventAnswer.init),
                next: found.next))
    }

    @Sendable private func recording(_ request: CheckedRequest, _ program: ProgramCaller) async throws -> Response {
        let name = try request.query.text("format") ?? Rendition.mp3.rawValue
        let rendition = Rendition(rawValue: name)
        guard rendition != nil || name == "original" else {
            throw Rejection(.badRequest, "?format= must be mp3, ogg, m4a or original.")
        }
        let isHead = request.head.method == .head
        let found = try await media.recording(
            request.identifier("media"), as: rendition, isNoted: !isHead, for: program)
        return try await reader.attachment(
            found, type: rendition?.mediaType ?? "application/octet-stream", isHead: isHead)
    }

    private struct Page: Encodable {
        let rows: [HistoryAnswer]
        let next: String?
    }

    private struct Events: Encodable {
        let conversation: HistoryAnswer
        let events: [HistoryEventAnswer]
        let next: String?
    }
}

extension HistoryRoutes {
    private static func search(_ query: Query) throws(Rejection) -> SearchQuery {
        var search = SearchQuery(limit: try limit(query))
        let words = try query.text("text")?.trimmingCharacters(in: .whitespacesAndNewlines)
        guard (words?.utf8.count ?? 0) <= wordBytes else {
            throw Rejection(.badRequest, "?text= is too long.", limit: wordBytes)
        }
        search.words = words?.isEmpty == true ? nil : words
        if let status = try query.text("status") {
            guard status == "open" || status == "closed" else {
                throw Rejection(.badRequest, "?status= must be open or closed.")
            }
            search.isClosed = status == "closed"
        }
        search.skill = try query.id("skill")
        search.agent = try query.id("agent")
        search.consumer = try query.id("consumer")
        search.from = try time("from", query)
        search.to = try time("to", query)
        return search
    }

    private static func limit(_ query: Query) throws(Rejection) -> Int {
        try query.typedNumber("limit", atMost: HistoryService.longestPage) ?? HistoryService.usualPage
    }

    private static func cursor(_ query: Query) throws(Rejection) -> String? {
        guard let cursor = try query.text("cursor") else { return nil }
        guard cursor.utf8.count <= cursorBytes else {
            throw Rejection(.badRequest, "?cursor= is not a cursor of this server.", limit: cursorBytes)
        }
        return cursor
    }

    /// Milliseconds since 1970, or ISO 8601 with its offset. A plus sign that was not encoded arrives as a space.
    private static func time(_ name: String, _ query: Query) throws(Rejection) -> Timestamp? {
        guard let text = try query.text(name) else { return nil }
        if let milliseconds = Query.digits(text) { return Timestamp(milliseconds: milliseconds) }
        let written = text.replacing(" ", with: "+")
        for hasFraction in [false, true] {
            let style = Date.ISO8601FormatStyle(includingFractionalSeconds: hasFraction)
            if let date = try? style.parse(written) {
                return Timestamp(milliseconds: Int64((date.timeIntervalSince1970 * 1000).rounded()))
            }
        }
        throw Rejection(
            .badRequest, "?\(name)= must be milliseconds since 1970, or a time such as 2026-11-23T18:00:00+01:00.")
    }
}
