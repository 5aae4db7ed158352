extension Schema {
    /// Finds what was closed today without reading what was closed before. Open conversations are not in it, so that
    /// their messages do not write to it.
    static let closedIndex = """
        CREATE INDEX conversation_closed ON conversation (feed, since) WHERE closed = 1;

        """
}
