/// The step of the schema that adds profiles and groups.
enum ProfileSchema {
    /// The profiles and groups that brands made, as JSON. A person's profile is in the person's row.
    static let step = """
        CREATE TABLE profile (
            account TEXT NOT NULL,
            id TEXT NOT NULL,
            body BLOB NOT NULL,
            PRIMARY KEY (account, id)
        ) WITHOUT ROWID;
        CREATE TABLE people_group (
            account TEXT NOT NULL,
            id TEXT NOT NULL,
            body BLOB NOT NULL,
            PRIMARY KEY (account, id)
        ) WITHOUT ROWID;

        """
}
