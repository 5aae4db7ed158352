import EarshotCore
import EarshotDomain
import EarshotModel
import EarshotTestKit
import Testing

@testable import EarshotStorage

@Suite struct `What memory holds` {
    @Test func `is forgotten when it is too much, and then read from the disk, the same`() async throws {
        var options = SQLiteStore.Options()
        options.tailBytes = 20_000
        let database = try TemporaryDatabase(options: options)
        let probe = StoreProbe(try database.open())
        for number in 1...40 { try await probe.accept(.say("Hello \(number)"), key: "k", in: .sample(number)) }
        let first = ConversationIdentity.sample(1)
        #expect(probe.store.tail(first.id, after: 0) == nil, "the oldest is forgotten")
        #expect(
            probe.store.tail(ConversationIdentity.sample(40).id, after: 0)?.events.count == 2, "the newest is there")
        let view = try await probe.view(first)
        #expect(view.events.map(\.sequence) == [1, 2])
        #expect(try view.events[1].decoded().kind == .text("Hello 1"))
        try (probe.storage as! SQLiteStore).close()
    }

    @Test(arguments: [150, 151, 400]) func `of one conversation is its end, without a gap`(events: Int) {
        let tails = TailCache(bounds: TailCache.Bounds())
        for number in 1...events { tails.publish([change(number)]) }
        let oldest = (0...events).first { tails.tail(id, after: $0) != nil }!
        #expect(events - oldest >= 100 && events - oldest <= 150, "how many are kept")
        #expect(tails.tail(id, after: oldest)?.events.map(\.sequence) == Array((oldest + 1)...events))
    }

    @Test func `starts again after a change that it missed`() {
        let tails = TailCache(bounds: TailCache.Bounds())
        tails.publish([change(1)])
        tails.publish([change(3)])
        #expect(tails.tail(id, after: 1) == nil)
        #expect(tails.tail(id, after: 2)?.events.map(\.sequence) == [3])
    }

    @Test func `of long messages is bounded in bytes`() {
        let tails = TailCache(bounds: TailCache.Bounds())
        for number in 1...20 { tails.publish([change(number, bytes: 32 * 1024)]) }
        #expect(tails.tail(id, after: 0) == nil)
        #expect(tails.tail(id, after: 17)?.events.count == 3)
    }

    private let id = ConversationIdentity.sample().id

    private func change(_ number: Int, bytes: Int = 10) -> TailCache.Update {
        var state = ConversationState(.sample())
        state.sequence = number
        let event = StoredEvent(sequence: number, encoded: [UInt8](repeating: 0, count: bytes), isSameForAll: true)
        return TailCache.Update(state: state, marks: Marks(), position: Int64(number), events: [event])
    }
}

@Suite struct `Packed numbers` {
    @Test func `come back as they were`() {
        let numbers = [0, 1, 127, 128, 16_383, 16_384, Int(Int32.max), Int.max]
        #expect(PackedNumbers.decode(PackedNumbers.encode(numbers)) == numbers)
        #expect(PackedNumbers.decode([]) == [])
    }

    @Test(arguments: [[0x80], [0x01, 0xff], [UInt8](repeating: 0xff, count: 12)]) func `that are damaged are nothing`(
        bytes: [UInt8]
    ) {
        #expect(PackedNumbers.decode(bytes) == nil)
    }
}

@Suite struct `The queue of the writer` {
    @Test func `takes so many and no more, and none once closed`() {
        let queue = WriteQueue()
        let job = WriteJob.rows(.init(run: { _ in }, answer: { _ in }))
        for _ in 0..<WriteQueue.jobLimit - 1 { _ = queue.add(job) }
        #expect(queue.add(job), "the last one within the limit")
        #expect(!queue.add(job), "one more")
        #expect(queue.take(atMost: .max).jobs.count == WriteQueue.jobLimit)
        #expect(queue.add(job), "there is room again")
        queue.close()
        #expect(!queue.add(job), "closed")
        #expect(queue.take(atMost: .max).isClosing)
    }
}
