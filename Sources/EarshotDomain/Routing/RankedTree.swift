import EarshotModel

/// A sort key of one element: by `first`, then by `second`, then by `slot`.
struct Rank: Hashable, Comparable, Sendable {
    /// The most significant part.
    let first: Int64
    /// Decides between equal `first`.
    let second: Int64
    /// The number of the element itself, so that no two elements of one tree have the same rank.
    let slot: Int

    init(first: Int64, second: Int64 = 0, slot: Int) {
        self.first = first
        self.second = second
        self.slot = slot
    }

    /// Orders elements by a moment.
    init(at moment: Timestamp, slot: Int) {
        self.init(first: moment.milliseconds, slot: slot)
    }

    static func < (left: Self, right: Self) -> Bool {
        if left.first != right.first { return left.first < right.first }
        if left.second != right.second { return left.second < right.second }
        return left.slot < right.slot
    }
}

/// An order-statistic tree: ranks in order, each with a measure.
///
/// It answers in logarithmic time how many elements come before a rank, which element is the first, and which is the
/// first whose measure is large enough. It is a treap: a search tree by rank that is also a heap by pseudo-random
/// heights, so that it stays balanced for every order of insertions. The heights come from a counter: the same calls
/// build the same tree.
struct RankedTree: Sendable {
    private struct Node: Sendable {
        let rank: Rank
        let measure: Int
        let height: UInt64
        /// Elements in this subtree.
        var count: Int32 = 1
        /// The greatest measure in this subtree.
        var most: Int
        var left: Int32 = -1
        var right: Int32 = -1
    }

    /// A measure that no search accepts.
    static let nothing = Int.min

    private var nodes: [Node] = []
    private var root: Int32 = -1
    private var spare: [Int32] = []
    private var counter: UInt64 = 0

    /// The number of elements.
    var count: Int { root < 0 ? 0 : Int(nodes[Int(root)].count) }

    /// The greatest measure of all elements; `nothing` where there are none.
    var most: Int { root < 0 ? Self.nothing : nodes[Int(root)].most }

    /// The length of the longest path from the root. Looks at all elements.
    var depth: Int { depth(under: root) }

    private func depth(under top: Int32) -> Int {
        top < 0 ? 0 : 1 + max(depth(under: nodes[Int(top)].left), depth(under: nodes[Int(top)].right))
    }

    /// Adds an element. - Precondition: the tree has no element of this rank.
    mutating func insert(_ rank: Rank, measure: Int = 0) {
        counter += 1
        let node = Node(rank: rank, measure: measure, height: Self.mixed(counter), most: measure)
        let index: Int32
        if let free = spare.popLast() {
            index = free
            nodes[Int(free)] = node
        } else {
            index = Int32(nodes.count)
            nodes.append(node)
        }
        root = inserting(index, under: root)
    }

    /// Removes an element. - Precondition: the tree has an element of this rank.
    mutating func remove(_ rank: Rank) {
        root = removing(rank, under: root).top
    }

    /// The least rank.
    var first: Rank? {
        guard root >= 0 else { return nil }
        var index = root
        while nodes[Int(index)].left >= 0 { index = nodes[Int(index)].left }
        return nodes[Int(index)].rank
    }

    /// The first element after `rank` (from the start without one) whose measure is at least this.
    func first(atLeast measure: Int, after rank: Rank? = nil) -> Rank? {
        find(atLeast: measure, after: rank, under: root)
    }

    /// How many elements come before this rank, whether or not the tree has it.
    func count(before rank: Rank) -> Int {
        var (index, before) = (root, 0)
        while index >= 0 {
            let node = nodes[Int(index)]
            if node.rank < rank {
                before += 1 + (node.left < 0 ? 0 : Int(nodes[Int(node.left)].count))
                index = node.right
            } else {
                index = node.left
            }
        }
        return before
    }

    /// All ranks, in order.
    var all: [Rank] {
        var (ranks, path, index): ([Rank], [Int32], Int32) = ([], [], root)
        while index >= 0 || !path.isEmpty {
            while index >= 0 {
                path.append(index)
                index = nodes[Int(index)].left
            }
            let node = nodes[Int(path.removeLast())]
            ranks.append(node.rank)
            index = node.right
        }
        return ranks
    }

    private func find(atLeast measure: Int, after rank: Rank?, under top: Int32) -> Rank? {
        guard top >= 0, nodes[Int(top)].most >= measure else { return nil }
        let node = nodes[Int(top)]
        guard let rank, !(rank < node.rank) else {
            if let left = find(atLeast: measure, after: rank, under: node.left) { return left }
            return node.measure >= measure ? node.rank : find(atLeast: measure, after: nil, under: node.right)
        }
        return find(atLeast: measure, after: rank, under: node.right)
    }

    private mutating func inserting(_ index: Int32, under top: Int32) -> Int32 {
        guard top >= 0 else { return index }
        if nodes[Int(index)].rank < nodes[Int(top)].rank {
            let left = inserting(index, under: nodes[Int(top)].left)
            nodes[Int(top)].left = left
            if nodes[Int(left)].height > nodes[Int(top)].height { return rotatedRight(top) }
        } else {
            let right = inserting(index, under: nodes[Int(top)].right)
            nodes[Int(top)].right = right
            if nodes[Int(right)].height > nodes[Int(top)].height { return rotatedLeft(top) }
        }
        // Only one element is new. Adding up again would fetch the other child, which is far away in memory in a large
        // tree.
        nodes[Int(top)].count += 1
        nodes[Int(top)].most = max(nodes[Int(top)].most, nodes[Int(index)].measure)
        return top
    }

    private mutating func removing(_ rank: Rank, under top: Int32) -> (top: Int32, measure: Int) {
        precondition(top >= 0, "only an element of the tree can be removed")
        let node = nodes[Int(top)]
        if rank == node.rank {
            spare.append(top)
            return (merged(node.left, node.right), node.measure)
        }
        let isLeft = rank < node.rank
        let (child, gone) = removing(rank, under: isLeft ? node.left : node.right)
        if isLeft { nodes[Int(top)].left = child } else { nodes[Int(top)].right = child }
        if gone == node.most { addUp(top) } else { nodes[Int(top)].count -= 1 }
        return (top, gone)
    }

    /// One tree from two, where all ranks of the first are less than all of the second.
    private mutating func merged(_ first: Int32, _ second: Int32) -> Int32 {
        guard first >= 0 else { return second }
        guard second >= 0 else { return first }
        if nodes[Int(first)].height > nodes[Int(second)].height {
            nodes[Int(first)].right = merged(nodes[Int(first)].right, second)
            addUp(first)
            return first
        }
        nodes[Int(second)].left = merged(first, nodes[Int(second)].left)
        addUp(second)
        return second
    }

    private mutating func rotatedRight(_ top: Int32) -> Int32 {
        let left = nodes[Int(top)].left
        nodes[Int(top)].left = nodes[Int(left)].right
        nodes[Int(left)].right = top
        addUp(top)
        addUp(left)
        return left
    }

    private mutating func rotatedLeft(_ top: Int32) -> Int32 {
        let right = nodes[Int(top)].right
        nodes[Int(top)].right = nodes[Int(right)].left
        nodes[Int(right)].left = top
        addUp(top)
        addUp(right)
        return right
    }

    /// Computes count and greatest measure of a subtree from its children.
    private mutating func addUp(_ top: Int32) {
        let node = nodes[Int(top)]
        var (count, most): (Int32, Int) = (1, node.measure)
        if node.left >= 0 {
            (count, most) = (count + nodes[Int(node.left)].count, max(most, nodes[Int(node.left)].most))
        }
        if node.right >= 0 {
            (count, most) = (count + nodes[Int(node.right)].count, max(most, nodes[Int(node.right)].most))
        }
        nodes[Int(top)].count = count
        nodes[Int(top)].most = most
    }

    /// SplitMix64 (Steele, Lea, Flood 2014).
    private static func mixed(_ counter: UInt64) -> UInt64 {
        var z = counter &* 0x9E37_79B9_7F4A_7C15
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
