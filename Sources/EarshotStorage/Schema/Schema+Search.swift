extension Schema {
    /// The search index in a form whose cost depends on one brand only: the row numbers of `words` and `names` begin
    /// with the feed's number, so that a search reads one brand's part of the index, newest first.
    static let searchIndex = """
        -- The words of events, at `feed * 2^40 + the event's pk`. Contentless, because the events have the text. It is
        -- filled after the commits: the setting `search_cursor` is the key of the last indexed event.
        DROP TABLE words;
        \(FullTextSchema.tables)

        -- What of a conversation's routing can be filtered by, written in the transaction that changes it.
        CREATE TABLE search_facet (
            feed INTEGER NOT NULL,
            kind TEXT NOT NULL,
            value TEXT NOT NULL,
            conversation INTEGER NOT NULL,
            PRIMARY KEY (feed, kind, value, conversation)
        ) WITHOUT ROWID;
        WITH routed (feed, pk, routing) AS (
            SELECT feed, pk, CASE WHEN json_valid(routing) THEN routing END FROM conversation
        )
        INSERT OR IGNORE INTO search_facet
        SELECT feed, 'skill', json_extract(routing, '$.skill'), pk FROM routed
            WHERE json_extract(routing, '$.skill') IS NOT NULL
        UNION ALL SELECT feed, 'agent', json_extract(routing, '$.previous'), pk FROM routed
            WHERE json_extract(routing, '$.previous') IS NOT NULL
        UNION ALL SELECT feed, 'csat', CAST(json_extract(routing, '$.csat') AS TEXT), pk FROM routed
            WHERE json_extract(routing, '$.csat') IS NOT NULL
        UNION ALL SELECT feed, 'tag', tag.value, pk FROM routed, json_each(routed.routing, '$.tags') tag;

        """
}

/// The full-text tables, which hold words in the clear.
enum FullTextSchema {
    /// The full-text tables, empty: a server fills them from the first event on.
    static let tables = """
        CREATE VIRTUAL TABLE words USING fts5(
            body, content='', detail='none', columnsize=0, prefix='3', tokenize="unicode61 remove_diacritics 2");
        -- The names of consumers, at `feed * 2^40 + the conversation's pk`.
        CREATE VIRTUAL TABLE names USING fts5(
            body, detail='none', columnsize=0, prefix='3', tokenize="unicode61 remove_diacritics 2");
        DELETE FROM setting WHERE name = 'search_cursor';
        """

    /// Empties the full-text tables of a database of the newest schema, which hold words in the clear.
    static let emptied = """
        DROP TABLE words;
        DROP TABLE names;
        UPDATE removed_conversation SET indexed = 0;
        \(tables)
        """
}
