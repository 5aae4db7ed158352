import NIOCore
import NIOPosix

/// The scan of one upload while it arrives: each full window of the file is scanned in its own session. At Send only
/// the last window is left, so a long recording waits no longer than a short one. The whole file is scanned right after
/// that (`ScanBacklog`).
///
/// Windows overlap, so that a signature across an edge is found in one of them.
final class RecordingScan: Sendable {
    private let scanner: Scanner
    private let path: String
    private let state = Locked(State())
    private let ended = OneShot<Outcome>()

    private static let windowBytes = 32 * 1024
    private static let overlapBytes = 8 * 1024
    /// If more windows than this are left at the end, scanning the whole file is faster.
    private static let maxWindowsAtEnd = 3

    /// What the scanner said of the first `bytes` bytes.
    struct Outcome: Hashable, Sendable {
        let bytes: Int
        let reply: ScanReply
    }

    private struct State: Sendable {
        var available = 0
        /// How many bytes were scanned and clean.
        var covered = 0
        var isComplete = false
        var isRunning = false
        /// A window got no answer: the rest is scanned at the end.
        var hasFailed = false
        var isOver = false
    }

    private enum Step {
        case part(Range<Int>)
        case whole(Int)
        case end(ScanReply)
    }

    /// `available` bytes are in the file at `path` already.
    init(scanner: Scanner, path: String, available: Int = 0) {
        self.scanner = scanner
        self.path = path
        state.update { $0.available = available }
    }

    /// Says that `available` bytes are in the file now.
    func advance(to available: Int) {
        workIfNeeded { $0.available = available }
    }

    /// Says that all bytes are in the file. There is an outcome after the scanner's `gateLimit` at the latest.
    func complete() {
        let isFirst = state.update { state in
            defer { state.isComplete = true }
            return !state.isComplete
        }
        guard isFirst else { return }
        MultiThreadedEventLoopGroup.singleton.any().scheduleTask(in: TimeAmount(scanner.settings.gateLimit)) {
            self.end(.unreachable("no answer in time"))
        }
        workIfNeeded()
    }

    /// Waits for the outcome. Only after `complete`.
    func outcome() async -> Outcome {
        await ended.value()
    }

    /// Stops the scan: the upload was refused or removed.
    func cancel() {
        end(.unreachable("cancelled"))
    }

    /// Changes the state, and submits the work if there is some and no task does it yet.
    private func workIfNeeded(_ change: (inout State) -> Void = { _ in }) {
        let isNeeded = state.update { state in
            change(&state)
            let hasWork =
                state.isComplete || (!state.hasFailed && state.available - state.covered >= Self.windowBytes)
            guard !state.isRunning, !state.isOver, hasWork else { return false }
            state.isRunning = true
            return true
        }
        if isNeeded { scanner.submit { await self.work() } }
    }

    private func work() async {
        while let step = nextStep() {
            switch step {
            case .part(let range): note(await scanner.part(.file(path, range)), range.upperBound, isWhole: false)
            case .whole(let count): note(await scanner.whole(.file(path, 0..<count)), count, isWhole: true)
            case .end(let reply): end(reply)
            }
        }
    }

    /// What to scan now; `nil` if the work pauses until more bytes arrive, or is over.
    private func nextStep() -> Step? {
        let isAnswering = scanner.health.isAnswering
        return state.update { state in
            let rest = state.available - state.covered
            if !state.isOver {
                if state.isComplete {
                    if rest == 0 { return .end(.clean) }
                    guard isAnswering else { return .end(.unreachable("the scanner is not verified")) }
                    if state.hasFailed || rest > Self.maxWindowsAtEnd * Self.windowBytes {
                        return .whole(state.available)
                    }
                    return .part(Self.window(after: state.covered, min(rest, Self.windowBytes)))
                }
                state.hasFailed = state.hasFailed || !isAnswering
                if !state.hasFailed, rest >= Self.windowBytes {
                    return .part(Self.window(after: state.covered, Self.windowBytes))
                }
            }
            state.isRunning = false
            return nil
        }
    }

    private static func window(after covered: Int, _ count: Int) -> Range<Int> {
        max(0, covered - overlapBytes)..<(covered + count)
    }

    private func note(_ reply: ScanReply, _ end: Int, isWhole: Bool) {
        switch reply {
        case .clean: state.update { $0.covered = end }
        case .infected: self.end(reply)
        case .inconclusive, .unreachable:
            if isWhole { self.end(reply) } else { state.update { $0.hasFailed = true } }
        }
    }

    private func end(_ reply: ScanReply) {
        let bytes = state.update { state in
            state.isOver = true
            return state.available
        }
        ended.resolve(Outcome(bytes: bytes, reply: reply))
    }
}
