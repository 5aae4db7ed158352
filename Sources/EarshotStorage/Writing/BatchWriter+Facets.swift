/// What searches filter by, in the transaction that changes it.
extension BatchWriter {
    /// Writes the difference to what is on disk. Messages change nothing here.
    func writeFacets(of conversation: CachedConversation) throws {
        let (before, after) = (conversation.storedFacets, conversation.facets)
        guard before != after else { return }
        for facet in before.subtracting(after) { try run(statements.deleteFacet, facet, conversation) }
        for facet in after.subtracting(before) { try run(statements.insertFacet, facet, conversation) }
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
