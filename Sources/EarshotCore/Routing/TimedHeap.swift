import EarshotModel

/// The next moment of each of many keys, earliest first. Setting a key costs the logarithm of their number.
struct TimedHeap<Key: Hashable & Sendable>: Sendable {
    private var moments: [Key: Timestamp] = [:]
    /// A binary heap; entries that differ from `moments` are outdated and skipped.
    private var heap: [(at: Timestamp, key: Key)] = []

    /// The earliest moment. It may belong to an outdated entry: then `takeFirst` returns nothing at that moment.
    var next: Timestamp? { heap.first?.at }

    /// Sets the next moment of a key; `nil`: it has none.
    mutating func set(_ moment: Timestamp?, for key: Key) {
        guard moments[key] != moment else { return }
        moments[key] = moment
        if let moment { push(moment, key) }
        // Moments that are replaced often would otherwise pile up until they come.
        if heap.count > 2 * moments.count + 64 { rebuild() }
    }

    /// Removes and returns the first key whose moment has come.
    mutating func takeFirst(until now: Timestamp) -> Key? {
        while let first = heap.first, first.at <= now {
            let (at, key) = pop()
            guard moments[key] == at else { continue }
            moments[key] = nil
            return key
        }
        return nil
    }

    private mutating func rebuild() {
        heap = []
        for (key, moment) in moments { push(moment, key) }
    }

    private mutating func push(_ at: Timestamp, _ key: Key) {
        heap.append((at, key))
        var child = heap.count - 1
        while child > 0, heap[child].at < heap[(child - 1) / 2].at {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    private mutating func pop() -> (at: Timestamp, key: Key) {
        heap.swapAt(0, heap.count - 1)
        let top = heap.removeLast()
        var parent = 0
        while true {
            let children = [2 * parent + 1, 2 * parent + 2].filter { $0 < heap.count }
            guard let least = children.min(by: { heap[$0].at < heap[$1].at }), heap[least].at < heap[parent].at else {
                return top
            }
            heap.swapAt(parent, least)
            parent = least
        }
    }
}
