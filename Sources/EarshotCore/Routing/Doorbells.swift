/// Several who want to hear of commits, as one.
public struct Doorbells: Doorbell {
    private let all: [any Doorbell]

    public init(_ all: [any Doorbell]) {
        self.all = all
    }

    public func ring(_ rings: [Ring]) {
        for bell in all { bell.ring(rings) }
    }
}
