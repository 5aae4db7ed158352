/// The step of the schema that encrypts what people wrote.
enum ContentKeySchema {
    /// The keys of conversations, each encrypted with the master key of this id. Columns that hold what people wrote
    /// are sealed from now on; rows of earlier versions stay as they are, and are sealed when they are written again.
    ///
    /// What queries ask for is beside it: the kind of an event where it is counted, and whose a consumer is. A
    /// conversation that is being removed takes its key along, because its words are computed again.
    static let step = """
        CREATE TABLE master_key (id TEXT PRIMARY KEY) WITHOUT ROWID;
        CREATE TABLE conversation_key (
            conversation TEXT PRIMARY KEY,
            account TEXT NOT NULL,
            master_key TEXT NOT NULL REFERENCES master_key,
            wrapped BLOB NOT NULL
        ) WITHOUT ROWID;

        ALTER TABLE event ADD COLUMN kind TEXT;
        ALTER TABLE consumer ADD COLUMN account TEXT;
        ALTER TABLE consumer ADD COLUMN conversation TEXT;
        UPDATE consumer SET
            account = json_extract(CAST(body AS TEXT), '$.account'),
            conversation = json_extract(CAST(body AS TEXT), '$.conversation')
        WHERE json_valid(CAST(body AS TEXT));

        ALTER TABLE removed_conversation ADD COLUMN id TEXT;
        ALTER TABLE removed_conversation ADD COLUMN master_key TEXT REFERENCES master_key;
        ALTER TABLE removed_conversation ADD COLUMN wrapped BLOB;
        ALTER TABLE removal_run ADD COLUMN keys INTEGER NOT NULL DEFAULT 0;

        """
}
