import EarshotModel

/// The moments at which the engine must look at a conversation or an agent again though nothing happened, in their
/// order.
struct DeadlineScheduler: Sendable {
    /// What must be looked at, by its slot.
    enum Subject: Hashable, Sendable {
        case conversation(Int)
        case agent(Int)
    }

    private var tree = RankedTree()

    /// The first moment.
    var next: Timestamp? { tree.first.map { Timestamp(milliseconds: $0.first) } }

    /// All agents that have a deadline.
    var agents: [Int] { tree.all.filter { $0.second == 1 }.map(\.slot) }

    /// Replaces one subject's deadline. `old` must be the one that was set last.
    mutating func replace(_ old: Timestamp?, with new: Timestamp?, for subject: Subject) {
        guard old != new else { return }
        if let old { tree.remove(Self.rank(old, subject)) }
        if let new { tree.insert(Self.rank(new, subject)) }
    }

    /// Removes and returns the first subject whose moment has come.
    mutating func takeFirst(until now: Timestamp) -> Subject? {
        guard let rank = tree.first, rank.first <= now.milliseconds else { return nil }
        tree.remove(rank)
        return rank.second == 1 ? .agent(rank.slot) : .conversation(rank.slot)
    }

    private static func rank(_ moment: Timestamp, _ subject: Subject) -> Rank {
        switch subject {
        case .conversation(let slot): Rank(first: moment.milliseconds, second: 0, slot: slot)
        case .agent(let slot): Rank(first: moment.milliseconds, second: 1, slot: slot)
        }
    }
}
