import EarshotModel
import Synchronization

/// The keys in use. They can be replaced while the server runs.
final class CurrentKeys: Sendable {
    private let ring: Mutex<KeyRing>

    init(_ ring: KeyRing) {
        self.ring = Mutex(ring)
    }

    /// Makes and verifies consumers' tokens.
    var tokens: ConsumerTokens { ConsumerTokens(keys: ring.withLock { $0 }) }
    /// Makes and verifies the cookies of known devices.
    var devices: DeviceMark { DeviceMark(ring.withLock { $0 }) }

    func replace(with new: KeyRing) { ring.withLock { $0 = new } }
}
