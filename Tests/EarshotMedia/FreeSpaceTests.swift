import EarshotCore
import EarshotModel
import Logging
import Testing

@testable import EarshotMedia

@Suite struct `The reserve of free space` {
    private static func space(_ disk: SmallDisk, _ reserve: SpaceReserve) -> FreeSpace {
        FreeSpace(of: disk.path, reserve: reserve, logger: Logger(label: "space") { _ in SwiftLogNoOpLogHandler() })
    }

    @Test func `refuses uploads below it, and not at it`() async throws {
        let disk = try await SmallDisk.mount(bytes: 4 << 20)
        defer { disk.unmount() }
        let free = try await BlockingPool.run { try FreeSpace.free(disk.path) }
        try await BlockingPool.run {
            #expect(throws: Never.self) { try Self.space(disk, SpaceReserve(bytes: free, percent: 0)).claim(0) }
            #expect(throws: Rejection.storageFull) {
                try Self.space(disk, SpaceReserve(bytes: free + 1, percent: 0)).claim(0)
            }
            #expect(throws: Never.self) { try Self.space(disk, SpaceReserve(bytes: 0, percent: 50)).claim(0) }
            let file = try OpenFile(writing: disk.path + "/file")
            try file.write([UInt8](repeating: 1, count: 3 << 20)[...], at: 0)
            #expect(throws: Rejection.storageFull) {
                try Self.space(disk, SpaceReserve(bytes: 0, percent: 50)).claim(0)
            }
        }
    }

    @Test func `counts what was claimed since the last measurement`() async throws {
        let disk = try await SmallDisk.mount(bytes: 4 << 20)
        defer { disk.unmount() }
        try await BlockingPool.run {
            let free = try FreeSpace.free(disk.path)
            let space = Self.space(disk, SpaceReserve(bytes: free - 1000, percent: 0))
            #expect(throws: Rejection.storageFull) { try space.claim(1001) }
            #expect(throws: Never.self) { try space.claim(1000) }
            // The first claim took all the room, but wrote nothing, so that a new measurement finds it again.
            #expect(throws: Never.self) { try space.claim(1000) }
            try OpenFile(writing: disk.path + "/file").write([1, 2, 3], at: 0)
            #expect(throws: Rejection.storageFull) { try space.claim(1) }
        }
    }

    @Test func `refuses the beginning of an upload and each chunk, and leaves what is there`() async throws {
        let disk = try await SmallDisk.mount(bytes: 4 << 20)
        defer { disk.unmount() }
        try await PoolLab.with({ $0.executable = "/nowhere/EarshotMediaWorker" }) { lab in
            let store = try await MediaStore.open(
                disk.path + "/media", pool: lab.pool, reserve: SpaceReserve(bytes: 2 << 20, percent: 0),
                logger: Logger(label: "space") { _ in SwiftLogNoOpLogHandler() })
            let id = try await store.begin(StoreLab.request()).upload
            #expect(try await store.append([1, 2, 3], at: 0, to: id, by: "consumer") == 3)
            try await BlockingPool.run {
                let file = try OpenFile(writing: disk.path + "/other")
                try file.write([UInt8](repeating: 1, count: 3 << 20)[...], at: 0)
            }
            // What was measured before counts for a second. Nothing but the clock ends that.
            let deadline = ContinuousClock.now + .seconds(20)
            var refusal: (any Error)?
            var received = 3
            while refusal == nil, ContinuousClock.now < deadline {
                do { received = try await store.append([4], at: received, to: id, by: "consumer") } catch {
                    refusal = error
                }
            }
            #expect(refusal as? Rejection == .storageFull)
            await #expect(throws: Rejection.storageFull) { try await store.begin(StoreLab.request(draft: "other")) }
            #expect(try await store.status(of: id, by: "consumer").received == received)
            try await store.abort(id, by: "consumer")
        }
    }
}
