extension RankedTree {
    var first: Rank? {
        guard root >= 0 else { return nil }
        var place = root
        while nodes[Int(place)].left >= 0 { place = nodes[Int(place)].left }
        return nodes[Int(place)].rank
    }

    /// The first behind `rank` (from the beginning without one) whose measure is at least this.
    func first(atLeast measure: Int, after rank: Rank? = nil) -> Rank? {
        find(atLeast: measure, after: rank, under: root)
    }

    /// How many stand before this rank, whether or not it is in the line.
    func count(before rank: Rank) -> Int {
        var (place, before) = (root, 0)
        while place >= 0 {
            let node = nodes[Int(place)]
            if node.rank < rank {
                before += 1 + (node.left < 0 ? 0 : Int(nodes[Int(node.left)].count))
                place = node.right
            } else {
                place = node.left
            }
        }
        return before
    }

    /// Everybody in the line, in order.
    var all: [Rank] {
        var (ranks, path, place): ([Rank], [Int32], Int32) = ([], [], root)
        while place >= 0 || !path.isEmpty {
            while place >= 0 {
                path.append(place)
                place = nodes[Int(place)].left
            }
            let node = nodes[Int(path.removeLast())]
            ranks.append(node.rank)
            place = node.right
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
}
