/// The tables of identity providers, of the consumers who sign in, and of the devices that they share with anonymous
/// consumers. Removing a consumer removes its rows.
enum ConsumerIdentitySchema {
    static let tables = """
        CREATE TABLE identity_provider (account TEXT PRIMARY KEY, body BLOB NOT NULL) WITHOUT ROWID;
        CREATE TABLE consumer_identity (
            account TEXT NOT NULL,
            issuer TEXT NOT NULL,
            subject TEXT NOT NULL,
            app TEXT NOT NULL,
            consumer TEXT NOT NULL UNIQUE REFERENCES consumer ON DELETE CASCADE,
            PRIMARY KEY (account, issuer, subject, app)
        ) WITHOUT ROWID;
        CREATE TABLE shared_device (
            signed_in TEXT NOT NULL REFERENCES consumer ON DELETE CASCADE,
            anonymous TEXT NOT NULL REFERENCES consumer ON DELETE CASCADE,
            PRIMARY KEY (signed_in, anonymous)
        ) WITHOUT ROWID;
        CREATE INDEX shared_device_anonymous ON shared_device (anonymous);

        """
}
