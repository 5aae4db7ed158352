import EarshotModel
import Testing

@testable import EarshotDomain

@Suite struct `A ranked tree` {
    private static func rank(_ first: Int64, _ slot: Int) -> Rank { Rank(first: first, second: 0, slot: slot) }

    @Test func `that is empty has no first element and counts none before a rank`() {
        let line = RankedTree()
        #expect(line.first == nil && line.count == 0 && line.most == RankedTree.nothing)
        #expect(line.first(atLeast: .min) == nil)
        #expect(line.count(before: Self.rank(5, 5)) == 0)
    }

    @Test(arguments: [1, 2, 3] as [UInt64]) func `keeps the order of a sorted list over insertions and removals`(
        seed: UInt64
    ) {
        var random = RepeatableNumbers(seed: seed)
        var (line, list): (RankedTree, [(rank: Rank, measure: Int)]) = (RankedTree(), [])
        for slot in 0..<1_500 {
            if list.count > 60, random.next() % 2 == 0 {
                let gone = list.remove(at: Int(random.next() % UInt64(list.count)))
                line.remove(gone.rank)
            } else {
                let new = (rank: Self.rank(Int64(random.next() % 40), slot), measure: Int(random.next() % 100))
                list.insert(new, at: list.firstIndex { new.rank < $0.rank } ?? list.count)
                line.insert(new.rank, measure: new.measure)
            }
            Self.expect(line, list, &random)
        }
        #expect(line.all == list.map(\.rank))
        for place in list { line.remove(place.rank) }
        #expect(line.count == 0 && line.first == nil)
    }

    private static func expect(
        _ line: RankedTree, _ list: [(rank: Rank, measure: Int)], _ random: inout RepeatableNumbers
    ) {
        let (measure, after) = (Int(random.next() % 110), list[Int(random.next() % UInt64(list.count))].rank)
        let isRight =
            line.count == list.count && line.first == list.first?.rank && line.most == list.map(\.measure).max()
            && line.first(atLeast: measure) == list.first { $0.measure >= measure }?.rank
            && line.first(atLeast: measure, after: after)
                == list.first { after < $0.rank && $0.measure >= measure }?.rank
            && line.count(before: after) == list.firstIndex { $0.rank == after }
        if !isRight { Issue.record("not like the list") }
    }

    @Test func `stays balanced when elements are inserted in order`() {
        var line = RankedTree()
        for slot in 0..<20_000 { line.insert(Self.rank(Int64(slot), slot)) }
        #expect(line.depth < 50)
    }

    @Test func `stops the program when an element is removed that it does not have`() async {
        await #expect(processExitsWith: .failure) {
            var line = RankedTree()
            line.insert(Rank(first: 1, second: 1, slot: 1))
            line.remove(Rank(first: 1, second: 1, slot: 2))
        }
    }
}

/// Random numbers that a seed repeats.
struct RepeatableNumbers: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

    mutating func next() -> UInt64 {
        // xorshift64* (Vigna 2016).
        state ^= state >> 12
        state ^= state << 25
        state ^= state >> 27
        return state &* 0x2545_F491_4F6C_DD1D
    }
}
