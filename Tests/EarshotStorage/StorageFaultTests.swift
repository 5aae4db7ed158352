import EarshotCore
import EarshotModel
import Foundation
import GRDB
import Synchronization
import Testing

@testable import EarshotStorage

@Suite struct `An error of the disk` {
    @Test(arguments: [
        (ResultCode.SQLITE_FULL, Int32(0), FailureGrade.ofAFullDisk), (.SQLITE_IOERR_SHMSIZE, 0, .ofAFullDisk),
        (.SQLITE_IOERR_WRITE, EDQUOT, .ofAFullDisk), (.SQLITE_IOERR_WRITE, ENOSPC, .ofAFullDisk),
        (.SQLITE_IOERR_WRITE, EIO, .ofTheConnection), (.SQLITE_IOERR_FSYNC, ENOSPC, .ofTheConnection),
        (.SQLITE_IOERR_FSYNC, EIO, .ofTheConnection), (.SQLITE_CORRUPT, 0, .ofTheConnection),
        (.SQLITE_NOTADB, 0, .ofTheConnection), (.SQLITE_BUSY, 0, .ofTheMoment), (.SQLITE_CONSTRAINT, 0, .ofOneChange),
    ])
    func `is full only where space may come back`(code: ResultCode, systemError: Int32, grade: FailureGrade) {
        #expect(FailureGrade(DatabaseError(resultCode: code), systemError: systemError) == grade)
    }

    @Test(arguments: [ResultCode.SQLITE_FULL, .SQLITE_IOERR, .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_CORRUPT])
    func `is told to the operator in words when the server starts`(code: ResultCode) {
        let failure = AdapterFailure.opening("/data/earshot.sqlite", DatabaseError(resultCode: code))
        #expect(failure.what.contains("/data/earshot.sqlite"))
        #expect(!failure.what.contains("SQLite: "))
        #expect(failure.isRetryable == (code != .SQLITE_CORRUPT))
    }
}

@Suite struct `What waits for the disk` {
    private func job(_ answers: Counter = Counter()) -> WriteJob {
        .rows(.init(run: { _ in }, answer: { _ in answers.add() }))
    }

    @Test func `fails at its deadline while it is queued`() {
        let queue = WriteQueue()
        #expect(queue.add(job()))
        #expect(queue.add(job()))
        #expect(queue.expire(before: 0).isEmpty, "nothing is that old")
        #expect(queue.expire(before: .max).count == 2)
        #expect(queue.take(atMost: .max).jobs.isEmpty)
    }

    @Test func `is answered once, by the writer or at the deadline`() {
        let inFlight = BatchInFlight()
        inFlight.begin([job(), job()], at: 100)
        #expect(inFlight.busy(at: 150) == 50)
        #expect(inFlight.expire(before: 100).isEmpty, "it has just begun")
        #expect(inFlight.expire(before: 101).count == 2)
        let hasToAnswer = inFlight.end()
        #expect(!hasToAnswer, "the deadline has answered")
        #expect(inFlight.busy(at: 200) == 0)
        inFlight.begin([job()], at: 300)
        let answersItself = inFlight.end()
        #expect(answersItself)
        #expect(inFlight.expire(before: .max).isEmpty, "the writer has answered")
    }

    @Test func `is limited in number and in bytes`() {
        let reads = PendingReads()
        for _ in 0..<PendingReads.limit { #expect(reads.begin(at: 1) { _ in } != nil) }
        #expect(reads.begin(at: 1) { _ in } == nil)
        let queue = WriteQueue()
        let big = Change(
            .existing(.init(trusted: "c")),
            .init(author: "a", key: .init(trusted: "k"), digest: [], at: .init(milliseconds: 0), bytes: 1 << 20),
            decide: { _ in [] })
        let count = (0..<100).filter { _ in queue.add(.change(big, answer: { _ in })) }.count
        #expect(count == WriteQueue.byteLimit / ((1 << 20) + 512))
        #expect(queue.take(atMost: .max).jobs.count == count)
        #expect(queue.add(.change(big, answer: { _ in })), "there is room again")
    }

    @Test func `is not kept as a read after its deadline`() throws {
        let (reads, failed) = (PendingReads(), Counter())
        let number = try #require(reads.begin(at: 10) { _ in failed.add() })
        #expect(reads.oldest(at: 30) == 20)
        reads.expire(before: 11)
        #expect(failed.count == 1)
        #expect(!reads.isWaiting(number))
        let mustAnswer = reads.end(number)
        #expect(!mustAnswer, "it was answered at the deadline")
    }

    @Test func `that is more than a batch is left for the next`() {
        let queue = WriteQueue()
        for _ in 0..<5 { _ = queue.add(job()) }
        queue.close()
        let first = queue.take(atMost: 3)
        #expect(first.jobs.count == 3)
        #expect(!first.isClosing, "two are left")
        let rest = queue.take(atMost: 3)
        #expect(rest.jobs.count == 2)
        #expect(rest.isClosing)
    }
}

@Suite struct `The reserved disk space` {
    @Test func `is made of real bytes, given up once, and made again`() throws {
        let folder = NSTemporaryDirectory() + "/earshot-reserve-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let reserve = DiskReserve(database: folder + "/earshot.sqlite")
        #expect(!reserve.isHeld)
        #expect(reserve.restore())
        var information = stat()
        #expect(stat(folder + "/earshot.sqlite-reserve", &information) == 0)
        #expect(Int(information.st_size) == DiskReserve.bytes)
        #expect(Int(information.st_blocks) * 512 >= DiskReserve.bytes, "no hole")
        #expect(information.st_mode & 0o777 == 0o600)
        #expect(DiskReserve(database: folder + "/earshot.sqlite").isHeld, "the next process finds it")
        let released = [reserve.release(), reserve.release()]
        #expect(released == [true, false])
        #expect(reserve.restore())
    }
}

/// Counts calls from any thread.
private final class Counter: Sendable {
    private let value = Mutex(0)
    var count: Int { value.withLock { $0 } }
    func add() { value.withLock { $0 += 1 } }
}
