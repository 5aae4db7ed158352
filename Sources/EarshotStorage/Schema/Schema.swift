/// The tables. A step, once released, is never edited: a change is a new step.
///
/// What shaped it: events are appended in the order of their rowid, so that a batch dirties few pages; conversations are named by small integers
/// inside; the state row is the inbox row, written once per conversation and batch; there is no index that no query needs.
enum Schema {
    static let steps = [foundation, voice, contactCentre]

    private static let foundation = """
        CREATE TABLE setting (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;

        -- Where a feed stands is the highest position of its conversations: writing it here too would cost every commit a page. `floor` is for
        -- whoever removes conversations, so that a feed never falls back.
        CREATE TABLE feed (
            pk INTEGER PRIMARY KEY,
            account TEXT NOT NULL UNIQUE,
            floor INTEGER NOT NULL
        );

        CREATE TABLE conversation (
            pk INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            feed INTEGER NOT NULL REFERENCES feed,
            app TEXT NOT NULL,
            consumer TEXT NOT NULL,
            channel TEXT NOT NULL,
            position INTEGER NOT NULL,
            closed INTEGER NOT NULL,
            status TEXT NOT NULL,
            sequence INTEGER NOT NULL,
            at INTEGER NOT NULL,
            since INTEGER,
            assignee INTEGER,
            last_by INTEGER,
            last_text TEXT,
            last_audio INTEGER,
            people BLOB NOT NULL,
            unanswered BLOB NOT NULL,
            marks BLOB NOT NULL
        );
        CREATE UNIQUE INDEX conversation_inbox ON conversation (feed, closed, position);

        CREATE TABLE event (
            pk INTEGER PRIMARY KEY,
            conversation INTEGER NOT NULL,
            sequence INTEGER NOT NULL,
            at INTEGER NOT NULL,
            same_for_all INTEGER NOT NULL,
            body BLOB NOT NULL,
            key_hash INTEGER,
            key TEXT,
            digest BLOB
        );
        CREATE UNIQUE INDEX event_sequence ON event (conversation, sequence);
        CREATE INDEX event_key ON event (conversation, key_hash) WHERE key_hash IS NOT NULL;

        CREATE TABLE account (id TEXT PRIMARY KEY, body BLOB NOT NULL) WITHOUT ROWID;
        CREATE TABLE app (
            account TEXT NOT NULL REFERENCES account,
            id TEXT NOT NULL,
            body BLOB NOT NULL,
            PRIMARY KEY (account, id)
        ) WITHOUT ROWID;
        CREATE TABLE agent (
            id TEXT PRIMARY KEY,
            account TEXT NOT NULL REFERENCES account,
            email TEXT NOT NULL,
            body BLOB NOT NULL,
            UNIQUE (account, email)
        ) WITHOUT ROWID;
        CREATE TABLE consumer (id TEXT PRIMARY KEY, name TEXT NOT NULL, body BLOB NOT NULL) WITHOUT ROWID;
        CREATE TABLE session (
            digest BLOB PRIMARY KEY,
            agent TEXT NOT NULL REFERENCES agent ON DELETE CASCADE,
            expires INTEGER NOT NULL,
            body BLOB NOT NULL
        ) WITHOUT ROWID;
        CREATE INDEX session_expiry ON session (expires);
        CREATE INDEX session_agent ON session (agent);
        CREATE TABLE recording (
            conversation TEXT NOT NULL,
            media TEXT NOT NULL,
            body BLOB NOT NULL,
            PRIMARY KEY (conversation, media)
        ) WITHOUT ROWID;
        """

    /// What voice messages need: how far they were played, where they stand with the scanner, what the brand set, and the audit log.
    private static let voice = """
        ALTER TABLE conversation ADD COLUMN unplayed BLOB NOT NULL DEFAULT x'';
        ALTER TABLE conversation ADD COLUMN playback_position INTEGER NOT NULL DEFAULT 0;

        -- One row for each listener of a voice message; `played` is a bitmap of tenths of a second. `position` is the feed's at the last change.
        CREATE TABLE played (
            conversation INTEGER NOT NULL,
            sequence INTEGER NOT NULL,
            listener INTEGER NOT NULL,
            author INTEGER NOT NULL,
            position INTEGER NOT NULL,
            percent INTEGER NOT NULL,
            listened INTEGER NOT NULL,
            played BLOB NOT NULL,
            PRIMARY KEY (conversation, sequence, listener)
        ) WITHOUT ROWID;

        ALTER TABLE recording ADD COLUMN scan TEXT NOT NULL DEFAULT 'unscanned';
        CREATE INDEX recording_waiting ON recording (media) WHERE scan = 'pending';

        CREATE TABLE settings (account TEXT PRIMARY KEY REFERENCES account, version INTEGER NOT NULL, body BLOB NOT NULL) WITHOUT ROWID;

        CREATE TABLE audit (
            pk INTEGER PRIMARY KEY AUTOINCREMENT,
            account TEXT NOT NULL,
            once TEXT,
            body BLOB NOT NULL
        );
        CREATE INDEX audit_account ON audit (account, pk);
        CREATE UNIQUE INDEX audit_once ON audit (account, once) WHERE once IS NOT NULL;
        CREATE TRIGGER audit_unchanged BEFORE UPDATE ON audit BEGIN SELECT RAISE(ABORT, 'an audit entry stays as it is'); END;
        CREATE TRIGGER audit_kept BEFORE DELETE ON audit BEGIN SELECT RAISE(ABORT, 'an audit entry stays'); END;
        """

    /// What a contact centre needs: where conversations stand with routing, how the brand runs it, who is there, and words to search for.
    ///
    /// `timestamps` and `routing` are part of the state row; a section of the centre is a row of its own, whose version is that of the centre at its last change.
    private static let contactCentre = """
        ALTER TABLE conversation ADD COLUMN timestamps BLOB NOT NULL DEFAULT x'';
        ALTER TABLE conversation ADD COLUMN routing TEXT;

        CREATE TABLE centre (
            account TEXT NOT NULL REFERENCES account,
            section TEXT NOT NULL,
            version INTEGER NOT NULL,
            body BLOB NOT NULL,
            PRIMARY KEY (account, section)
        ) WITHOUT ROWID;
        CREATE TABLE centre_revision (
            account TEXT NOT NULL,
            version INTEGER NOT NULL,
            at INTEGER NOT NULL,
            by TEXT NOT NULL,
            section TEXT NOT NULL,
            undoes INTEGER,
            before BLOB NOT NULL,
            after BLOB NOT NULL,
            PRIMARY KEY (account, version)
        ) WITHOUT ROWID;

        CREATE TABLE presence (
            agent TEXT PRIMARY KEY REFERENCES agent ON DELETE CASCADE,
            account TEXT NOT NULL,
            body BLOB NOT NULL
        ) WITHOUT ROWID;
        CREATE TABLE saved_view (
            agent TEXT PRIMARY KEY REFERENCES agent ON DELETE CASCADE,
            account TEXT NOT NULL,
            body BLOB NOT NULL
        ) WITHOUT ROWID;

        -- The words of events, by the event's pk. Contentless: the events have the text. Filled behind the commits: `search_cursor` is the pk through
        -- which it is.
        CREATE VIRTUAL TABLE words USING fts5(body, content='', tokenize="unicode61 remove_diacritics 2");
        """
}
