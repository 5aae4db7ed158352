import GRDB

/// Writes what searches filter by, in the transaction that changes it.
struct FacetWriter {
    private let insertion: PreparedStatement
    private let deletion: PreparedStatement

    init(_ db: Database) throws {
        insertion = try PreparedStatement("INSERT OR IGNORE INTO search_facet VALUES (?, ?, ?, ?)", in: db)
        deletion = try PreparedStatement(
            "DELETE FROM search_facet WHERE feed = ? AND kind = ? AND value = ? AND conversation = ?", in: db)
    }

    /// Writes the difference to what is on disk. Messages change nothing here.
    func write(_ conversation: CachedConversation) throws {
        let (before, after) = (conversation.storedFacets, conversation.facets)
        guard before != after else { return }
        for facet in before.subtracting(after) { try run(deletion, facet, conversation) }
        for facet in after.subtracting(before) { try run(insertion, facet, conversation) }
    }

    private func run(_ statement: PreparedStatement, _ facet: SearchFacet, _ conversation: CachedConversation) throws {
        try statement.run { binder in
            binder.integer(conversation.feed.pk, at: 1)
            binder.text(facet.kind.rawValue, at: 2)
            binder.text(facet.value, at: 3)
            binder.integer(conversation.pk, at: 4)
        }
    }
}
