/// What people wrote of a conversation's row, as it is stored. Most messages change the preview only, so the rest is
/// encrypted again only when it differs.
struct SealedParts {
    /// A value, and what it was encrypted to.
    struct Part {
        private var plain: [UInt8]?
        private(set) var sealed: [UInt8]?

        mutating func update(_ value: [UInt8]?, _ field: ContentField, with key: ContentKey) throws {
            guard value != plain else { return }
            sealed = try value.map { try key.seal($0, field) }
            plain = value
        }
    }

    private(set) var preview = Part()
    private(set) var people = Part()
    private(set) var routing = Part()

    mutating func update(preview text: String?, _ parts: ConversationRow.Parts, with key: ContentKey) throws {
        try preview.update(text.map { Array($0.utf8) }, .preview, with: key)
        try people.update(parts.people, .people, with: key)
        try routing.update(parts.routing.map { Array($0.utf8) }, .routing, with: key)
    }
}
