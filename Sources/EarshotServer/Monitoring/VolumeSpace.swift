import Foundation
import Synchronization

/// The space of a volume, measured beside the requests for it: a volume that hangs must not keep the metrics from being
/// read, which name the problem.
final class VolumeSpace: Sendable {
    private struct State {
        var last: statvfs?
        var isMeasuring = false
    }

    private let folder: String
    private let state: Mutex<State>

    /// Measures the volume of a folder. Blocks.
    init(of folder: String) {
        self.folder = folder
        state = Mutex(State(last: Self.measure(folder)))
    }

    /// What was measured last, and begins to measure again. `nil` while the volume does not answer.
    func read() -> statvfs? {
        let (last, begins) = state.withLock { state in
            guard !state.isMeasuring else { return (nil as statvfs?, false) }
            state.isMeasuring = true
            return (state.last, true)
        }
        if begins {
            DispatchQueue.global(qos: .utility).async { [self] in
                let measured = Self.measure(folder)
                state.withLock { $0 = State(last: measured) }
            }
        }
        return last
    }

    private static func measure(_ folder: String) -> statvfs? {
        var information = statvfs()
        return statvfs(folder, &information) == 0 ? information : nil
    }
}
