import Synchronization

/// Where the pool lays down a job for one waiting worker. Whatever is given is taken, even by a worker that dies in that moment: no job is lost.
final class WorkerOffer: Sendable {
    private enum State {
        case empty
        case waiting(CheckedContinuation<(any WorkerJob)?, Never>)
        case given(any WorkerJob)
        case over
    }

    private let state = Mutex(State.empty)

    /// `false` where the worker is gone or has a job.
    func give(_ job: any WorkerJob) -> Bool {
        state.withLock { state in
            switch state {
            case .empty: state = .given(job)
            case .waiting(let waiter):
                state = .over
                waiter.resume(returning: job)
            case .given, .over: return false
            }
            return true
        }
    }

    /// Waits for the job; `nil` when there will be none. To be called once.
    func take() async -> (any WorkerJob)? {
        await withCheckedContinuation { waiter in
            state.withLock { state in
                switch state {
                case .given(let job):
                    state = .over
                    waiter.resume(returning: job)
                case .empty: state = .waiting(waiter)
                case .waiting, .over: waiter.resume(returning: nil)
                }
            }
        }
    }

    /// Nothing is given any more.
    func close() {
        state.withLock { state in
            switch state {
            case .empty: state = .over
            case .waiting(let waiter):
                state = .over
                waiter.resume(returning: nil)
            case .given, .over: return
            }
        }
    }
}
