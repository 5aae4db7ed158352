/// The step of the schema that adds API keys.
enum APIKeySchema {
    /// The keys of programs. `used` is when a key was last noted to be used; `scopes` are names, divided by spaces.
    /// A program names a recording without its conversation.
    static let step = """
        CREATE TABLE api_key (
            id TEXT PRIMARY KEY,
            account TEXT NOT NULL,
            name TEXT NOT NULL,
            scopes TEXT NOT NULL,
            digest BLOB NOT NULL,
            by TEXT NOT NULL,
            made INTEGER NOT NULL,
            expires INTEGER NOT NULL,
            used INTEGER
        ) WITHOUT ROWID;
        CREATE INDEX api_key_account ON api_key (account, made);
        CREATE INDEX recording_media ON recording (media);

        """
}
