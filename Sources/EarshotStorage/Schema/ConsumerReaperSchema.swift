/// The step of the schema by which consumers who never wrote are found when their time has passed.
enum ConsumerReaperSchema {
    /// `seen` is when the row was last saved; the reaper clears it where the consumer has a conversation, which removes
    /// the consumer in its time. Of the consumers of earlier versions it is not known, so that their time begins now.
    static let step = """
        ALTER TABLE consumer ADD COLUMN signed_in INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE consumer ADD COLUMN seen INTEGER;
        UPDATE consumer SET seen = CAST(strftime('%s', 'now') AS INTEGER) * 1000,
            signed_in = id IN (SELECT consumer FROM consumer_identity)
        WHERE NOT EXISTS (SELECT 1 FROM conversation c WHERE c.id = consumer.conversation);
        CREATE INDEX consumer_seen ON consumer (account, signed_in, seen) WHERE seen IS NOT NULL;

        """
}
