import EarshotAudioFormats
import EarshotWorkerProtocol
import Glibc

/// The recording as far as it came, kept whole in memory, so that a container whose index stands at the end can be read without any file.
///
/// Reading behind what is there waits for standard input. The length is never told before the end is reached, so that what a demuxer does cannot
/// depend on how the bytes were cut on their way.
final class RecordingInput {
    private let storage: UnsafeMutableRawBufferPointer
    private let limit: Int
    private let beforeWaiting: () -> Void
    private(set) var count = 0
    private(set) var isComplete = false
    private(set) var isTooLarge = false
    private var position = 0
    /// Of an MP4: what stands there twice is read once.
    var fragments: MP4Fragments?

    /// One byte more than `limit` is taken in, to know that there is more.
    init(limit: Int, beforeWaiting: @escaping () -> Void) {
        self.limit = limit
        self.beforeWaiting = beforeWaiting
        storage = .allocate(byteCount: limit + 1, alignment: 16)
    }

    var bytes: ByteView { ByteView(UnsafeRawBufferPointer(rebasing: storage[..<count])) }

    /// The order in front of the recording; `nil` where the input ends before it.
    func takeOrder() -> WorkerOrder? {
        var bytes = [UInt8](repeating: 0, count: WorkerOrder.byteCount)
        var taken = 0
        while taken < bytes.count {
            let got = bytes.withUnsafeMutableBytes {
                Glibc.read(STDIN_FILENO, $0.baseAddress! + taken, $0.count - taken)
            }
            if got <= 0 { return nil }
            taken += got
        }
        return WorkerOrder(bytes)
    }

    /// Waits until `wanted` bytes are there or the recording ends.
    func fill(to wanted: Int) {
        while count < wanted, !isComplete, !isTooLarge { receive() }
    }

    /// Waits for the recording's end.
    func drain() {
        fill(to: .max)
    }

    /// What libav calls: at least one byte, 0 at the end.
    func read(into target: UnsafeMutableRawPointer, atMost size: Int) -> Int {
        fill(to: position + 1)
        settle()
        guard position < count, !isTooLarge else { return 0 }
        let part = min(size, min(count, fragments?.settled ?? .max) - position)
        target.copyMemory(from: storage.baseAddress! + position, byteCount: part)
        position += part
        return part
    }

    /// What libav calls for containers that jump. Behind the end is allowed: reading there says that it is the end.
    func seek(to offset: Int64, from origin: Int32) -> Int64 {
        let base: Int64
        switch origin {
        case SEEK_SET: base = 0
        case SEEK_CUR: base = Int64(position)
        default: return -1
        }
        let (target, overflow) = base.addingReportingOverflow(offset)
        guard !overflow, target >= 0, target <= Int64(Int32.max) else { return -1 }
        position = Int(target)
        return target
    }

    /// The next read starts at the first byte again.
    func rewind() {
        position = 0
    }

    /// Goes on until the byte at `position` is as it is to be read.
    private func settle() {
        while position < count, let known = fragments, known.settled <= position {
            switch fragments?.look(bytes, isComplete: isComplete || isTooLarge) {
            case .needs(let wanted): fill(to: wanted)
            case .settled(let free): if let free { storage[free..<free + 4].copyBytes(from: Array("free".utf8)) }
            case nil: return
            }
        }
    }

    private func receive() {
        beforeWaiting()
        let got = Glibc.read(STDIN_FILENO, storage.baseAddress! + count, limit + 1 - count)
        if got < 0 { exit(WorkerExit.broken) }
        if got == 0 { isComplete = true }
        count += got
        isTooLarge = count > limit
    }
}
