/// A bounded dictionary that keeps what was used lately: two generations, and the older one is dropped when the younger is full.
///
/// What was used among the last `weightLimit / 2` worth of others is there, and about `weightLimit` is the most it holds. Costs a lookup, and no list
/// to keep in order. It forgets only when it is told to (`forgetIfFull`), so that its owner decides when nothing is in use.
struct GenerationCache<Key: Hashable, Value> {
    let weightLimit: Int
    private var young: [Key: Value] = [:]
    private var old: [Key: Value] = [:]
    private var youngWeight = 0

    init(weightLimit: Int) {
        self.weightLimit = weightLimit
    }

    var count: Int { young.count + old.count }

    /// The value, which counts as used. `weight` is what it weighs now.
    mutating func use(_ key: Key, weight: (Value) -> Int) -> Value? {
        if let value = young[key] { return value }
        guard let value = old.removeValue(forKey: key) else { return nil }
        insert(value, for: key, weight: weight(value))
        return value
    }

    /// Changes the value in place, or makes it. `body` answers by how much its weight grew.
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

    /// Drops what was not used for long, if it is time to.
    mutating func forgetIfFull() {
        guard youngWeight > weightLimit / 2 else { return }
        // A generation that alone is beyond the limit is not kept at all.
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
