/// A queue that serves its owners in turn, and each owner's items in order.
struct FairQueue<Owner: Hashable & Sendable, Item> {
    private var items: [Owner: [Item]] = [:]
    private var turns: [Owner] = []
    /// How many items wait.
    private(set) var count = 0

    /// How many items of an owner wait.
    func count(of owner: Owner) -> Int { items[owner]?.count ?? 0 }

    mutating func append(_ item: Item, of owner: Owner) {
        if items[owner] == nil { turns.append(owner) }
        items[owner, default: []].append(item)
        count += 1
    }

    /// Takes the first item of the owner whose turn it is.
    mutating func removeFirst() -> Item? {
        guard let owner = turns.first, var own = items[owner] else { return nil }
        turns.removeFirst()
        let item = own.removeFirst()
        items[owner] = own.isEmpty ? nil : own
        if !own.isEmpty { turns.append(owner) }
        count -= 1
        return item
    }

    /// Takes the last item of the owner who has most.
    mutating func removeNewestOfLongest() -> Item? {
        guard let owner = items.max(by: { $0.value.count < $1.value.count })?.key, var own = items[owner] else {
            return nil
        }
        let item = own.removeLast()
        items[owner] = own.isEmpty ? nil : own
        if own.isEmpty { turns.removeAll { $0 == owner } }
        count -= 1
        return item
    }
}
