public import EarshotModel

/// An event that is about to be written: who did what. The log gives it its number and its time.
public struct Fact: Hashable, Sendable {
    /// Who did it.
    public let by: ParticipantNumber
    /// What was done.
    public let kind: Event.Kind

    /// Makes the fact.
    public init(_ by: ParticipantNumber, _ kind: Event.Kind) {
        self.by = by
        self.kind = kind
    }
}
