import EarshotAudioFormats
import EarshotWorkerProtocol
import Glibc

/// The recording as far as it has arrived, kept in memory, so that a container whose index is at the end can be read
/// without a file.
///
/// Reading past the bytes that have arrived waits for standard input. The length is never reported before the end is
/// reached, so that a demuxer's behaviour does not depend on the sizes of the chunks.
final class RecordingInput {
    private let storage: UnsafeMutableRawBufferPointer
    private let limit: Int
    private let beforeWaiting: () -> Void
    private(set) var count = 0
    private(set) var isComplete = false
    private(set) var isTooLarge = false
    private var position = 0
    /// For an MP4: finds duplicate fragment headers.
    var fragments: MP4Fragments?

    /// Reads at most `limit` bytes and one more, to know whether there are more.
    init(limit: Int, beforeWaiting: @escaping () -> Void) {
        self.limit = limit
        self.beforeWaiting = beforeWaiting
        storage = .allocate(byteCount: limit + 1, alignment: 16)
    }

    var bytes: ByteView { ByteView(UnsafeRawBufferPointer(rebasing: storage[..<count])) }

    /// Reads the order that precedes the recording; `nil` if the input ends before it.
    func readOrder() -> WorkerOrder? {
        var bytes = [UInt8](repeating: 0, count: WorkerOrder.byteCount)
        var taken = 0
        while taken < bytes.count {
            let got = bytes.withUnsafeMutableBytes {
                Glibc.read(STDIN_FILENO, $0.baseAddress?.advanced(by: taken), $0.count - taken)
            }
            if got <= 0 { return nil }
            taken += got
        }
        return WorkerOrder(bytes)
    }

    /// Waits until `wanted` bytes have arrived or the recording ends.
    func fill(to wanted: Int) {
        while count < wanted, !isComplete, !isTooLarge { receive() }
    }

    /// Waits for the end of the recording.
    func drain() {
        fill(to: .max)
    }

    /// Reads for libav: at least one byte, or 0 at the end.
    func read(into target: UnsafeMutableRawPointer, atMost size: Int) -> Int {
        fill(to: position + 1)
        resolveFragments()
        guard position < count, !isTooLarge, let start = storage.baseAddress else { return 0 }
        let part = min(size, min(count, fragments?.settled ?? .max) - position)
        target.copyMemory(from: start + position, byteCount: part)
        position += part
        return part
    }

    /// Seeks for libav in a seekable container. Seeking past the end is allowed; reading there returns 0.
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

    /// Makes the next read start at the first byte again.
    func rewind() {
        position = 0
    }

    /// Checks boxes for duplicates until the byte at `position` can be read.
    private func resolveFragments() {
        while position < count, let known = fragments, known.settled <= position {
            switch fragments?.checkNext(bytes, isComplete: isComplete || isTooLarge) {
            case .needs(let wanted): fill(to: wanted)
            case .settled(let free): if let free { storage[free..<free + 4].copyBytes(from: Array("free".utf8)) }
            case nil: return
            }
        }
    }

    private func receive() {
        beforeWaiting()
        let got = Glibc.read(STDIN_FILENO, storage.baseAddress?.advanced(by: count), limit + 1 - count)
        if got < 0 { exit(WorkerExit.broken) }
        if got == 0 { isComplete = true }
        count += got
        isTooLarge = count > limit
    }
}
