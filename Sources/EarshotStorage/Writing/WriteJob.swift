import EarshotCore
import GRDB

/// A job for the writer. It is answered once, after the commit that contains it.
enum WriteJob: Sendable {
    case change(Change, answer: @Sendable (Result<Accepted, ChangeFailure>) -> Void)
    case rows(RowJob)
    case verdict(ScanVerdict, answer: @Sendable (Result<Bool, AdapterFailure>) -> Void)

    /// Plain rows. Runs in a savepoint of its own, so that a violated constraint fails only this job.
    struct RowJob: Sendable {
        let run: @Sendable (Database) throws -> Void
        let answer: @Sendable (AdapterFailure?) -> Void
    }

    /// About how much memory it takes while it waits.
    var bytes: Int {
        if case .change(let change, _) = self { 512 + change.request.bytes } else { 512 }
    }

    func answer(_ outcome: BatchWriter.Outcome) {
        switch (self, outcome) {
        case (.change(_, let answer), .change(let result)): answer(result)
        case (.rows(let job), .rows(let failure)): job.answer(failure)
        case (.verdict(_, let answer), .verdict(let isFirst)): answer(.success(isFirst))
        default: preconditionFailure("an outcome is of its job's kind")
        }
    }

    func fail(_ failure: AdapterFailure) {
        switch self {
        case .change(_, let answer): answer(.failure(.failed(failure)))
        case .rows(let job): job.answer(failure)
        case .verdict(_, let answer): answer(.failure(failure))
        }
    }
}
