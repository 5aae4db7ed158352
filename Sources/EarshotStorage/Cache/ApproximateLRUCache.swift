/// A bounded cache that keeps recently used values.
///
/// It has two generations; when the young one is full, the old one is dropped. A value that was used among the last
/// `weightLimit / 2` worth of others is kept, and the cache holds at most about `weightLimit`. A lookup costs one or
/// two dictionary accesses, and there is no list to maintain. It evicts only in `evictIfFull`, so that its owner
/// decides when no value is in use.
struct ApproximateLRUCache<Key: Hashable, Value> {
    private let weightLimit: Int
    private var young: [Key: Value] = [:]
    private var old: [Key: Value] = [:]
    private var youngWeight = 0

    init(weightLimit: Int) {
        self.weightLimit = weightLimit
    }

    var count: Int { young.count + old.count }

    /// Returns a value and marks it as used. `weight` computes its current weight.
    mutating func use(_ key: Key, weight: (Value) -> Int) -> Value? {
        if let value = young[key] { return value }
        guard let value = old.removeValue(forKey: key) else { return nil }
        insert(value, for: key, weight: weight(value))
        return value
    }

    /// Changes a value in place, or inserts it. `body` returns by how much its weight grew.
    mutating func update(
        _ key: Key, default make: @autoclosure () -> Value, weight: (Value) -> Int, body: (inout Value) -> Int
    ) {
        if young[key] == nil {
            let value = old.removeValue(forKey: key) ?? make()
            insert(value, for: key, weight: weight(value))
        }
        youngWeight += body(&young[key]!)
    }

    mutating func insert(_ value: Value, for key: Key, weight: Int) {
        young[key] = value
        youngWeight += weight
    }

    /// Drops the old generation if the young one is full.
    mutating func evictIfFull() {
        guard youngWeight > weightLimit / 2 else { return }
        // A generation that exceeds the limit by itself is not kept at all.
        old = youngWeight > weightLimit ? [:] : young
        young = [:]
        youngWeight = 0
    }

    mutating func remove(_ key: Key) {
        young[key] = nil
        old[key] = nil
    }

    mutating func removeAll() {
        young = [:]
        old = [:]
        youngWeight = 0
    }
}
