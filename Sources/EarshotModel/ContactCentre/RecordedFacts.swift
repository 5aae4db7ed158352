/// What agents recorded about a conversation, as it is now.
public struct RecordedFacts: Hashable, Codable, Sendable {
    /// The attributes that have a value, by name.
    public let attributes: [Attribute]
    /// The id of the wrap-up code. `nil` if none was chosen.
    public let disposition: String?

    /// Makes the value.
    public init(attributes: [Attribute], disposition: String?) {
        self.attributes = attributes
        self.disposition = disposition
    }

    /// The name and the value of one attribute.
    public struct Attribute: Hashable, Codable, Sendable {
        /// The attribute's name.
        public let name: String
        /// Its value, as text.
        public let value: String

        /// Makes the value.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }
}
