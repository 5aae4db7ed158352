extension Schema {
    /// The links with which people set their password: one for each person.
    static let passwordLinks = """
        CREATE TABLE password_link (
            agent TEXT PRIMARY KEY REFERENCES agent ON DELETE CASCADE,
            account TEXT NOT NULL,
            digest BLOB NOT NULL UNIQUE,
            expires INTEGER NOT NULL
        ) WITHOUT ROWID;
        CREATE INDEX password_link_account ON password_link (account);

        """
}
