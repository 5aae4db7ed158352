public import EarshotModel

/// The clock and the source of randomness. Both are passed in, so that tests control them.
public struct SystemEnvironment: Sendable {
    /// The current time.
    public let now: @Sendable () -> Timestamp
    /// Returns the requested number of random bytes. In the server they come from the operating system's generator.
    public let random: @Sendable (Int) -> [UInt8]

    /// Creates an environment from a clock and a random generator.
    public init(now: @escaping @Sendable () -> Timestamp, random: @escaping @Sendable (Int) -> [UInt8]) {
        self.now = now
        self.random = random
    }

    /// Makes a new random identifier.
    public func id<Tag>(_: Identifier<Tag>.Type = Identifier<Tag>.self) -> Identifier<Tag> {
        Identifier(random: random(IdentifierRules.randomBytes))
    }
}
