import Synchronization

/// Whether the server is going away: said once, never taken back.
final class Drain: Sendable {
    private let begun = Atomic(false)

    var isDraining: Bool { begun.load(ordering: .acquiring) }

    func begin() {
        begun.store(true, ordering: .releasing)
    }
}
