import EarshotModel
import Glibc
import NIOCore
import Testing

@testable import EarshotGateway

@Suite struct `Reading of recordings` {
    /// Waits for one byte of the pipe, as a read waits for a disk that hangs.
    private static func use(_ input: Int32) {
        var byte: UInt8 = 0
        #expect(read(input, &byte, 1) == 1)
    }

    @Test func `fails at its deadline where the disk hangs, others at once, and goes on when it answers again`()
        async throws
    {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        let (input, output) = (ends[0], ends[1])
        let threads = ReadingThreads(threads: 2, deadline: .milliseconds(20))
        // More than there are threads.
        await withTaskGroup(of: Rejection?.self) { group in
            for _ in 0..<5 {
                group.addTask {
                    do { try await threads.run { Self.use(input) } } catch { return error as? Rejection }
                    return nil
                }
            }
            for await rejection in group { #expect(rejection?.code == .unavailable) }
        }
        #expect(threads.isHanging)
        await #expect(throws: Rejection.self) { try await threads.run { Issue.record("begun") } }
        let bytes = [UInt8](repeating: 1, count: 5)
        #expect(write(output, bytes, 5) == 5)
        while threads.isHanging { await Task.yield() }
        #expect(try await threads.run { 7 } == 7)
        close(input)
        close(output)
    }

    @Test func `takes no more than so many at once`() async throws {
        let threads = ReadingThreads(threads: 1, deadline: .hours(1), maximumJobs: 0)
        await #expect(throws: Rejection.self) { try await threads.run { Issue.record("begun") } }
    }
}
