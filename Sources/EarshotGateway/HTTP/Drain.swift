import Synchronization

/// Whether the server is shutting down. Once set, it stays set.
final class Drain: Sendable {
    private let begun = Atomic(false)

    var isDraining: Bool { begun.load(ordering: .acquiring) }

    func begin() {
        begun.store(true, ordering: .releasing)
    }
}
