/// The tables of the database. A released step is never edited: every change is a new step.
///
/// The design keeps commits cheap. Events are appended in the order of their primary key, so that a batch dirties few
/// pages. Conversations have small integer names inside the database. The state row is also the inbox row and is
/// written once per conversation and batch. Every index is needed by a query.
enum Schema {
    /// The size of a new database's pages. A message changes a few bytes on each of some pages, and every one of them
    /// is written whole. An older database keeps the size that it has.
    static let pageBytes = 2_048

    static let steps = [
        conversations + people + voice + contactCentre, searchIndex, closedIndex, unsentRecordings, access,
        auditHashes, auditConversations, passwordLinks, retention, ConsumerIdentitySchema.tables,
        SecondFactorSchema.tables, APIKeySchema.step, ProfileSchema.step, ContentKeySchema.step,
        AdministratorSchema.step,
        SealedProviderSchema.step, ConsumerReaperSchema.step,
        SessionRuleSchema.step,
    ]

    /// The log: feeds, conversations with their state, and events.
    private static let conversations = """
        -- Single values: the epoch, secrets, suspensions, the search cursor, the accuracy of promised times.
        CREATE TABLE setting (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;

        -- One feed per account. Its position is the highest position of its conversations; storing it here too would
        -- cost every commit a page. `floor` is the lowest position that may be given out, for the day when \
        conversations
        -- are deleted.
        CREATE TABLE feed (
            pk INTEGER PRIMARY KEY,
            account TEXT NOT NULL UNIQUE,
            floor INTEGER NOT NULL
        );

        -- Identity, state, watermarks and feed position of a conversation. `people`, `unanswered`, `watermarks`,
        -- `unplayed` and `timestamps` are packed numbers or JSON; `routing` is JSON, because searches read it.
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
            watermarks BLOB NOT NULL,
            unplayed BLOB NOT NULL,
            playback_position INTEGER NOT NULL,
            timestamps BLOB NOT NULL,
            routing TEXT
        );
        CREATE UNIQUE INDEX conversation_inbox ON conversation (feed, closed, position);

        -- Events with the idempotency key of their command. `key_hash` keeps the index small; `key` is compared too.
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

        """

    /// Accounts, apps, agents, consumers, sessions, settings and the audit log. `body` is the whole value as JSON; the
    /// other columns are those by which rows are found.
    private static let people = """
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
        CREATE TABLE settings (
            account TEXT PRIMARY KEY REFERENCES account,
            version INTEGER NOT NULL,
            body BLOB NOT NULL
        ) WITHOUT ROWID;

        -- Entries can only be added.
        CREATE TABLE audit (
            pk INTEGER PRIMARY KEY AUTOINCREMENT,
            account TEXT NOT NULL,
            once TEXT,
            body BLOB NOT NULL
        );
        CREATE INDEX audit_account ON audit (account, pk);
        CREATE UNIQUE INDEX audit_once ON audit (account, once) WHERE once IS NOT NULL;
        CREATE TRIGGER audit_unchanged BEFORE UPDATE ON audit
        BEGIN SELECT RAISE(ABORT, 'audit entries cannot be changed'); END;
        CREATE TRIGGER audit_kept BEFORE DELETE ON audit
        BEGIN SELECT RAISE(ABORT, 'audit entries cannot be deleted'); END;

        """

    /// Recordings, and how far they were played.
    private static let voice = """
        CREATE TABLE recording (
            conversation TEXT NOT NULL,
            media TEXT NOT NULL,
            scan TEXT NOT NULL,
            body BLOB NOT NULL,
            PRIMARY KEY (conversation, media)
        ) WITHOUT ROWID;
        CREATE INDEX recording_waiting ON recording (media) WHERE scan = 'pending';

        -- One row per voice message and listener. `played` is a bitmap of tenths of a second; `position` is the feed
        -- position of the last change.
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

        """

    /// Blocked consumers, and a list of what changed about who may sign in or write: a server reads the changes that a
    /// command or another process made.
    private static let access = """
        CREATE TABLE consumer_block (consumer TEXT PRIMARY KEY, account TEXT NOT NULL) WITHOUT ROWID;
        CREATE TABLE access_change (pk INTEGER PRIMARY KEY AUTOINCREMENT, agent TEXT, consumer TEXT);
        """

    /// The audit log's columns for queries, and the hash of each entry, which `AuditLog.addHashes` fills.
    private static let auditHashes = """
        DROP TRIGGER audit_unchanged;
        DROP TRIGGER audit_kept;
        ALTER TABLE audit ADD COLUMN at INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE audit ADD COLUMN by TEXT NOT NULL DEFAULT '';
        ALTER TABLE audit ADD COLUMN what TEXT NOT NULL DEFAULT '';
        ALTER TABLE audit ADD COLUMN hash BLOB NOT NULL DEFAULT x'';
        CREATE INDEX audit_by ON audit (account, by, pk);
        CREATE INDEX audit_what ON audit (account, what, pk);

        """
    /// The number of the step that adds the hashes, counted from 0.
    static let auditHashesStep = 5

    /// Contact-centre settings with their history, presence, saved views and the full-text index.
    private static let contactCentre = """
        -- One row per section that was ever changed. `version` is the version of the settings at its last change.
        CREATE TABLE contact_centre (
            account TEXT NOT NULL REFERENCES account,
            section TEXT NOT NULL,
            version INTEGER NOT NULL,
            body BLOB NOT NULL,
            PRIMARY KEY (account, section)
        ) WITHOUT ROWID;
        CREATE TABLE contact_centre_revision (
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

        -- The words of events, by the event's primary key. Contentless, because the events have the text. Filled after
        -- the commits: the setting `search_cursor` is the key of the last indexed event.
        CREATE VIRTUAL TABLE words USING fts5(body, content='', tokenize="unicode61 remove_diacritics 2");

        """

    /// What the clean-up of recordings and the limits on their bytes ask for: columns beside the JSON, and a sum for
    /// each account, kept by triggers so that no writer can forget it.
    private static let unsentRecordings = """
        ALTER TABLE recording ADD COLUMN account TEXT;
        ALTER TABLE recording ADD COLUMN at INTEGER;
        ALTER TABLE recording ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE recording ADD COLUMN sent INTEGER;
        ALTER TABLE recording ADD COLUMN is_clip INTEGER NOT NULL DEFAULT 0;
        UPDATE recording SET
            account = json_extract(CAST(body AS TEXT), '$.account'), at = json_extract(CAST(body AS TEXT), '$.at'),
            bytes = ifnull(json_extract(CAST(body AS TEXT), '$.content.bytes'), 0),
            sent = json_extract(CAST(body AS TEXT), '$.sent'),
            is_clip = conversation LIKE 'clips-%' AND length(conversation) = 28;
        CREATE INDEX recording_unsent ON recording (at, media) WHERE sent IS NULL;

        CREATE TABLE recorded (account TEXT PRIMARY KEY, bytes INTEGER NOT NULL) WITHOUT ROWID;
        INSERT INTO recorded SELECT account, sum(bytes) FROM recording WHERE account IS NOT NULL GROUP BY account;
        CREATE TRIGGER recording_counted AFTER INSERT ON recording WHEN NEW.account IS NOT NULL BEGIN
            INSERT INTO recorded VALUES (NEW.account, NEW.bytes)
                ON CONFLICT (account) DO UPDATE SET bytes = bytes + NEW.bytes;
        END;
        CREATE TRIGGER recording_uncounted AFTER DELETE ON recording WHEN OLD.account IS NOT NULL BEGIN
            UPDATE recorded SET bytes = bytes - OLD.bytes WHERE account = OLD.account;
        END;

        """
}
