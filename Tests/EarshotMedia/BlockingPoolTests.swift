import Glibc
import NIOPosix
import NIOCore
import Testing

@testable import EarshotMedia

@Suite struct `The threads for media files` {
    @Test func `leave NIO's threads free, where playback reads its files, while all of them wait for a disk`()
        async throws
    {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        let (input, output) = (ends[0], ends[1])
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<BlockingPool.threadCount {
                group.addTask {
                    try await BlockingPool.run {
                        var byte: UInt8 = 0
                        #expect(read(input, &byte, 1) == 1)
                    }
                }
            }
            let loop = MultiThreadedEventLoopGroup.singleton.any()
            let isFree = try await NIOThreadPool.singleton.runIfActive(eventLoop: loop) { true }.get()
            #expect(isFree)
            let bytes = [UInt8](repeating: 1, count: BlockingPool.threadCount)
            #expect(write(output, bytes, bytes.count) == bytes.count)
            try await group.waitForAll()
        }
        close(input)
        close(output)
    }
}
