/// The tables of second factors, a step of `Schema`.
enum SecondFactorSchema {
    /// The second factors of people, their recovery codes, and which brands require them. `sealed` is encrypted;
    /// `digest` is a keyed code.
    static let tables = """
        CREATE TABLE second_factor (
            agent TEXT PRIMARY KEY REFERENCES agent ON DELETE CASCADE,
            account TEXT NOT NULL,
            sealed BLOB NOT NULL,
            last_step INTEGER NOT NULL,
            since INTEGER NOT NULL
        ) WITHOUT ROWID;
        CREATE INDEX second_factor_account ON second_factor (account);
        CREATE TABLE recovery_code (
            agent TEXT NOT NULL REFERENCES second_factor ON DELETE CASCADE,
            digest BLOB NOT NULL,
            PRIMARY KEY (agent, digest)
        ) WITHOUT ROWID;
        -- A row for each account that requires a second factor.
        CREATE TABLE second_factor_rule (account TEXT PRIMARY KEY REFERENCES account) WITHOUT ROWID;

        """
}
