/// Where something stands in a line: by the first number, then by the second, then by its own.
struct Rank: Hashable, Comparable, Sendable {
    var first: Int64
    var second: Int64
    /// Whose place it is: no two places in a line have the same.
    var slot: Int

    static func < (left: Self, right: Self) -> Bool {
        if left.first != right.first { return left.first < right.first }
        if left.second != right.second { return left.second < right.second }
        return left.slot < right.slot
    }
}

/// Places in their order, each with a measure. It says in logarithmic time how many stand before one, which is the first, and which is the first whose measure is
/// large enough.
///
/// A treap: a search tree by rank that is a heap by numbers which look random, so that it stays flat whatever the order of insertions is. The numbers come from a counter: the
/// same calls make the same tree.
struct RankedTree: Sendable {
    struct Node: Sendable {
        var rank: Rank
        var measure: Int
        var height: UInt64
        /// Of everything from here down.
        var count: Int32 = 1
        var most: Int
        var left: Int32 = -1
        var right: Int32 = -1
    }

    /// A measure that no search asks for.
    static let nothing = Int.min

    var nodes: [Node] = []
    private(set) var root: Int32 = -1
    private var spare: [Int32] = []
    private var counter: UInt64 = 0

    var count: Int { root < 0 ? 0 : Int(nodes[Int(root)].count) }

    /// The greatest measure in the line.
    var most: Int { root < 0 ? Self.nothing : nodes[Int(root)].most }

    /// The rank must not be in the line.
    mutating func insert(_ rank: Rank, measure: Int = 0) {
        counter += 1
        let node = Node(rank: rank, measure: measure, height: Self.mixed(counter), most: measure)
        let place: Int32
        if let free = spare.popLast() {
            place = free
            nodes[Int(free)] = node
        } else {
            place = Int32(nodes.count)
            nodes.append(node)
        }
        root = inserting(place, under: root)
    }

    /// The rank must be in the line.
    mutating func remove(_ rank: Rank) {
        root = removing(rank, under: root).top
    }

    private mutating func inserting(_ place: Int32, under top: Int32) -> Int32 {
        guard top >= 0 else { return place }
        if nodes[Int(place)].rank < nodes[Int(top)].rank {
            let left = inserting(place, under: nodes[Int(top)].left)
            nodes[Int(top)].left = left
            if nodes[Int(left)].height > nodes[Int(top)].height { return turnedRight(top) }
        } else {
            let right = inserting(place, under: nodes[Int(top)].right)
            nodes[Int(top)].right = right
            if nodes[Int(right)].height > nodes[Int(top)].height { return turnedLeft(top) }
        }
        // What is new below is one place. To sum anew would fetch the other child, which in a long line is far away.
        nodes[Int(top)].count += 1
        nodes[Int(top)].most = max(nodes[Int(top)].most, nodes[Int(place)].measure)
        return top
    }

    private mutating func removing(_ rank: Rank, under top: Int32) -> (top: Int32, measure: Int) {
        precondition(top >= 0, "only what stands in a line can leave it")
        let node = nodes[Int(top)]
        if rank == node.rank {
            spare.append(top)
            return (merged(node.left, node.right), node.measure)
        }
        let isLeft = rank < node.rank
        let (child, gone) = removing(rank, under: isLeft ? node.left : node.right)
        if isLeft { nodes[Int(top)].left = child } else { nodes[Int(top)].right = child }
        if gone == node.most { sum(top) } else { nodes[Int(top)].count -= 1 }
        return (top, gone)
    }

    /// One tree of two, all of the first before all of the second.
    private mutating func merged(_ first: Int32, _ second: Int32) -> Int32 {
        guard first >= 0 else { return second }
        guard second >= 0 else { return first }
        if nodes[Int(first)].height > nodes[Int(second)].height {
            nodes[Int(first)].right = merged(nodes[Int(first)].right, second)
            sum(first)
            return first
        }
        nodes[Int(second)].left = merged(first, nodes[Int(second)].left)
        sum(second)
        return second
    }

    private mutating func turnedRight(_ top: Int32) -> Int32 {
        let left = nodes[Int(top)].left
        nodes[Int(top)].left = nodes[Int(left)].right
        nodes[Int(left)].right = top
        sum(top)
        sum(left)
        return left
    }

    private mutating func turnedLeft(_ top: Int32) -> Int32 {
        let right = nodes[Int(top)].right
        nodes[Int(top)].right = nodes[Int(right)].left
        nodes[Int(right)].left = top
        sum(top)
        sum(right)
        return right
    }

    private mutating func sum(_ top: Int32) {
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
