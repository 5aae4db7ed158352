extension Schema {
    /// Finds what the audit log has on a conversation without reading the rest of the log.
    static let auditConversations = """
        DROP TRIGGER audit_unchanged;
        ALTER TABLE audit ADD COLUMN conversation TEXT;
        UPDATE audit SET conversation = json_extract(CAST(body AS TEXT), '$.conversation')
        WHERE json_valid(CAST(body AS TEXT));
        CREATE INDEX audit_conversation ON audit (account, conversation, pk) WHERE conversation IS NOT NULL;
        CREATE TRIGGER audit_unchanged BEFORE UPDATE ON audit
        BEGIN SELECT RAISE(ABORT, 'audit entries cannot be changed'); END;

        """
}
