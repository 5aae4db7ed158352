import NIOCore
import NIOPosix

/// The scan of one upload while it arrives: windows of its file, each in a session of its own, as soon as they are full. At Send only the last one is
/// left, so that a long recording waits no longer than a short one. The whole file is scanned right after (`ScanBacklog`).
///
/// Windows overlap, so that a signature which lies across an edge is still found in one of them.
final class RecordingScan: Sendable {
    private let scanner: Scanner
    private let path: String
    private let state = Locked(State())
    private let promise = OneShot<Outcome>()

    static let windowBytes = 32 * 1024
    static let overlapBytes = 8 * 1024
    /// With more than so many windows to go at the end, the whole file is quicker.
    static let windowsAtEnd = 3

    /// What was found out about the first so many bytes.
    struct Outcome: Hashable, Sendable {
        let bytes: Int
        let reply: ScanReply
    }

    fileprivate struct State: Sendable {
        var available = 0
        /// So many bytes are scanned and clean.
        var covered = 0
        var isComplete = false
        var isRunning = false
        /// A window was not answered: what is left is for the end.
        var hasFailed = false
        var isOver = false
    }

    fileprivate enum Step {
        case part(Range<Int>)
        case whole(Int)
        case over(Outcome)
    }

    /// `path`: where the bytes are; `available` of them are there.
    init(scanner: Scanner, path: String, available: Int = 0) {
        self.scanner = scanner
        self.path = path
        state.change { $0.available = available }
    }

    /// So many bytes are in the file now.
    func advance(to available: Int) {
        goOn(
            state.change { state in
                state.available = available
                return state.claim()
            })
    }

    /// Nothing follows. An outcome is there after the scanner's `gateLimit` at the latest.
    func complete() {
        let isFirst = state.change { state in
            defer { state.isComplete = true }
            return !state.isComplete
        }
        guard isFirst else { return }
        MultiThreadedEventLoopGroup.singleton.any().scheduleTask(in: TimeAmount(scanner.settings.gateLimit)) {
            self.end(.silent("no answer in time"))
        }
        goOn(state.change { $0.claim() })
    }

    /// Waits for it; only after `complete`.
    func outcome() async -> Outcome {
        (try? await promise.value()) ?? Outcome(bytes: 0, reply: .silent("no answer"))
    }

    /// Nobody wants it any more.
    func cancel() {
        end(.silent("cancelled"))
    }

    private func goOn(_ isNeeded: Bool) {
        if isNeeded { scanner.submit { await self.work() } }
    }

    /// Until there is nothing to do for now.
    private func work() async {
        while let step = state.change({ $0.next(isAnswering: scanner.health.isAnswering) }) {
            switch step {
            case .part(let range): note(await scanner.part(.file(path, range)), range.upperBound, isWhole: false)
            case .whole(let count): note(await scanner.whole(.file(path, 0..<count)), count, isWhole: true)
            case .over(let outcome): promise.keep(.success(outcome))
            }
        }
    }

    private func note(_ reply: ScanReply, _ end: Int, isWhole: Bool) {
        switch reply {
        case .clean: state.change { $0.covered = end }
        case .found: self.end(reply)
        case .refused, .silent:
            if isWhole { self.end(reply) } else { state.change { $0.hasFailed = true } }
        }
    }

    private func end(_ reply: ScanReply) {
        let bytes = state.change { state in
            state.isOver = true
            return state.available
        }
        promise.keep(.success(Outcome(bytes: bytes, reply: reply)))
    }
}

extension RecordingScan.State {
    /// Whether somebody has to begin working. One at a time.
    fileprivate mutating func claim() -> Bool {
        guard !isRunning, !isOver, isComplete || (!hasFailed && available - covered >= RecordingScan.windowBytes) else {
            return false
        }
        isRunning = true
        return true
    }

    /// What to do now; `nil` ends the work until it is claimed again.
    fileprivate mutating func next(isAnswering: Bool) -> RecordingScan.Step? {
        guard !isOver else { return stop() }
        let rest = available - covered
        if isComplete {
            if rest == 0 { return finish(.clean) }
            guard isAnswering else { return finish(.silent("the scanner is not proven")) }
            if hasFailed || rest > RecordingScan.windowsAtEnd * RecordingScan.windowBytes { return .whole(available) }
            return .part(window(min(rest, RecordingScan.windowBytes)))
        }
        guard isAnswering, !hasFailed, rest >= RecordingScan.windowBytes else {
            hasFailed = hasFailed || !isAnswering
            return stop()
        }
        return .part(window(RecordingScan.windowBytes))
    }

    private func window(_ count: Int) -> Range<Int> {
        max(0, covered - RecordingScan.overlapBytes)..<(covered + count)
    }

    private mutating func finish(_ reply: ScanReply) -> RecordingScan.Step {
        isOver = true
        return .over(RecordingScan.Outcome(bytes: available, reply: reply))
    }

    private mutating func stop() -> RecordingScan.Step? {
        isRunning = false
        return nil
    }
}
