import EarshotModel
import Glibc
import NIOCore
import NIOPosix
import Testing

@testable import EarshotMedia

@Suite struct `The threads for media files` {
    /// Work that waits until the test lets it go, as it does on a disk that hangs.
    private struct Disk: Sendable {
        private let input: Int32
        private let output: Int32

        init() throws {
            var ends: [Int32] = [0, 0]
            try #require(pipe(&ends) == 0)
            (input, output) = (ends[0], ends[1])
        }

        /// Waits for one byte.
        func use() {
            var byte: UInt8 = 0
            #expect(read(input, &byte, 1) == 1)
        }

        func answer(times: Int) {
            let bytes = [UInt8](repeating: 1, count: times)
            #expect(write(output, bytes, times) == times)
        }
    }

    @Test func `leave NIO's threads free while all of them wait for a disk`() async throws {
        let (disk, pool) = (try Disk(), BlockingPool(threads: 4, deadline: .hours(1)))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<pool.threadCount { group.addTask { try await pool.run { disk.use() } } }
            let loop = MultiThreadedEventLoopGroup.singleton.any()
            let isFree = try await NIOThreadPool.singleton.runIfActive(eventLoop: loop) { true }.get()
            #expect(isFree)
            disk.answer(times: pool.threadCount)
            try await group.waitForAll()
        }
    }

    @Test func `fail the requests that wait for a disk that hangs, and take others when it answers again`()
        async throws
    {
        let (disk, pool, ends) = (
            try Disk(), BlockingPool(threads: 2, deadline: .milliseconds(20)), AsyncStream.makeStream(of: Int.self)
        )
        // More requests than there are threads: those without one fail in time too.
        await withTaskGroup(of: Rejection?.self) { group in
            for number in 0..<5 {
                group.addTask {
                    do {
                        try await pool.answer {
                            try await pool.run { disk.use() }
                            ends.continuation.yield(number)
                        }
                        return nil
                    } catch { return error as? Rejection }
                }
            }
            for await rejection in group { #expect(rejection?.code == .unavailable) }
        }
        #expect(pool.isHanging)
        await #expect(throws: Rejection.self, "at once, and it is never begun") {
            try await pool.answer { Issue.record("begun") }
        }
        disk.answer(times: 5)
        // What was begun goes on to its end.
        var ended: Set<Int> = []
        for await number in ends.stream {
            ended.insert(number)
            if ended.count == 5 { break }
        }
        while pool.isHanging { await Task.yield() }
        #expect(try await pool.answer { try await pool.run { 7 } } == 7)
    }

    @Test func `take no more requests while too much work waits`() async throws {
        let (disk, pool) = (try Disk(), BlockingPool(threads: 1, deadline: .hours(1), maximumJobs: 3))
        try await withThrowingTaskGroup(of: Void.self) { group in
            let (begun, begin) = AsyncStream.makeStream(of: Void.self)
            for _ in 0..<3 {
                group.addTask {
                    try await pool.answer {
                        async let work: Void = pool.run { disk.use() }
                        begin.yield()
                        try await work
                    }
                }
            }
            var waiting = begun.makeAsyncIterator()
            for _ in 0..<3 { await waiting.next() }
            while pool.unfinishedJobs < 3 { await Task.yield() }
            await #expect(throws: Rejection.self) { try await pool.answer {} }
            disk.answer(times: 3)
            try await group.waitForAll()
        }
        #expect(try await pool.answer { true })
    }

    @Test func `tell what a request failed of itself`() async throws {
        let pool = BlockingPool(threads: 1)
        await #expect(throws: FileFailure.self) {
            try await pool.answer { try await pool.run { try OpenFile(reading: "/nowhere/at/all") } }
        }
    }
}
