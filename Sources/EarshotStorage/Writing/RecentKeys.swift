import EarshotModel

/// The keys of the latest events, which the index of keys does not have yet.
///
/// A key may belong anywhere in the index: to keep the index up to date would cost the commit of every message one
/// more page. So an event is stored with its key, but without the number by which the index finds it, and the numbers
/// of many events are written together, in the transaction of one batch. The events without one are the last of their
/// table, so that a start finds them.
struct RecentKeys {
    /// What the command of a known key was answered.
    struct Known: Equatable {
        let sequence: Int
        let at: Timestamp
        let digest: [UInt8]
    }

    /// A key that the index does not have.
    struct Entry {
        /// The primary key of its event.
        let event: Int64
        let conversation: Int64
        let key: StoredKey
        let known: Known
        /// The earlier entry with the same place in the index.
        fileprivate var earlier: Int?

        init(event: Int64, conversation: Int64, key: StoredKey, known: Known) {
            (self.event, self.conversation, self.key, self.known) = (event, conversation, key, known)
        }
    }

    private struct Place: Hashable {
        let conversation: Int64
        let hash: Int64
    }

    /// In the order of their events.
    private(set) var entries: [Entry] = []
    private var latest: [Place: Int] = [:]
    /// How many of them are on disk.
    private var stored = 0
    /// How many are indexed together.
    private let batch: Int
    private var due: Int

    init(indexedTogether batch: Int) {
        (self.batch, due) = (batch, batch)
    }

    /// Whether it is time to write them into the index.
    var areDue: Bool { entries.count >= due }

    /// Notes the key of an event that the running batch writes, or that a start found.
    mutating func add(_ entry: Entry) {
        let place = Place(conversation: entry.conversation, hash: entry.key.hash)
        entries.append(entry)
        entries[entries.count - 1].earlier = latest[place]
        latest[place] = entries.count - 1
    }

    func find(_ key: StoredKey, in conversation: Int64) -> Known? {
        var index = latest[Place(conversation: conversation, hash: key.hash)]
        while let found = index {
            if entries[found].key.text == key.text { return entries[found].known }
            index = entries[found].earlier
        }
        return nil
    }

    /// The running batch is on disk.
    /// - Parameter indexed: whether it wrote all of them into the index.
    mutating func commit(indexed: Bool) {
        if indexed {
            entries.removeAll(keepingCapacity: true)
            latest.removeAll(keepingCapacity: true)
            due = batch
        }
        stored = entries.count
    }

    /// Nothing of the running batch is on disk. The index may be the reason (it needs space on the disk), so it waits
    /// for as many keys again.
    mutating func rollBack() {
        while entries.count > stored, let entry = entries.popLast() {
            latest[Place(conversation: entry.conversation, hash: entry.key.hash)] = entry.earlier
        }
        due = entries.count + batch
    }
}
