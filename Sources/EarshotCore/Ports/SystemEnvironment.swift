public import EarshotModel

/// What time it is and what is random: handed in, so that a test decides both.
public struct SystemEnvironment: Sendable {
    public let now: @Sendable () -> Timestamp
    /// So many random bytes, from the system's generator.
    public let random: @Sendable (Int) -> [UInt8]

    public init(now: @escaping @Sendable () -> Timestamp, random: @escaping @Sendable (Int) -> [UInt8]) {
        self.now = now
        self.random = random
    }

    public func id<Tag>(_: Identifier<Tag>.Type = Identifier<Tag>.self) -> Identifier<Tag> {
        Identifier(random: random(IdentifierRules.randomBytes))
    }
}
