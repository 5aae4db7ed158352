extension Schema {
    /// How long conversations are kept, and the durable list of what remains to be removed. A conversation that is
    /// being removed has `closed = 2` and belongs to the feed of no account.
    static let retention = """
        CREATE INDEX conversation_ended ON conversation (feed, at) WHERE closed = 1;

        CREATE TABLE retention (account TEXT PRIMARY KEY, days INTEGER NOT NULL) WITHOUT ROWID;
        CREATE TABLE legal_hold (
            conversation TEXT PRIMARY KEY, account TEXT NOT NULL, at INTEGER NOT NULL, body BLOB NOT NULL
        ) WITHOUT ROWID;

        -- A request waits until a run takes it up, and stays with the run until the conversation left the log.
        CREATE TABLE erasure (conversation TEXT PRIMARY KEY, run INTEGER, body BLOB NOT NULL) WITHOUT ROWID;
        -- `receipt` is the JSON that was signed; without one the run is not complete.
        CREATE TABLE removal_run (
            pk INTEGER PRIMARY KEY AUTOINCREMENT,
            account TEXT NOT NULL,
            kind TEXT NOT NULL,
            by TEXT NOT NULL,
            begun INTEGER NOT NULL,
            conversations INTEGER NOT NULL DEFAULT 0,
            events INTEGER NOT NULL DEFAULT 0,
            recordings INTEGER NOT NULL DEFAULT 0,
            bytes INTEGER NOT NULL DEFAULT 0,
            oldest INTEGER,
            newest INTEGER,
            receipt BLOB,
            signature BLOB
        );
        CREATE INDEX removal_run_open ON removal_run (pk) WHERE receipt IS NULL;
        CREATE INDEX removal_run_account ON removal_run (account, kind, pk);
        -- Conversations whose events remain. `indexed` is the last event that the search index had.
        CREATE TABLE removed_conversation (
            conversation INTEGER PRIMARY KEY, run INTEGER NOT NULL, feed INTEGER NOT NULL, indexed INTEGER NOT NULL
        );
        CREATE TABLE removed_recording (media TEXT PRIMARY KEY, run INTEGER NOT NULL) WITHOUT ROWID;

        """
}
