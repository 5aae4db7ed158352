/// The step of the schema that ends what is signed in.
enum SessionRuleSchema {
    /// After how many minutes without use a session of an account's people ends, and the consumers who were signed out
    /// everywhere. Only tokens of the consumer's `generation` or a later one are accepted; those who were never signed
    /// out have generation 0.
    static let step = """
        CREATE TABLE session_rule (
            account TEXT PRIMARY KEY REFERENCES account ON DELETE CASCADE,
            idle_minutes INTEGER NOT NULL
        ) WITHOUT ROWID;
        CREATE TABLE consumer_sign_out (
            consumer TEXT PRIMARY KEY,
            account TEXT NOT NULL,
            generation INTEGER NOT NULL
        ) WITHOUT ROWID;

        """
}
