import EarshotCore
import EarshotModel
import GRDB

/// A job for the writer. It is answered once, after the commit that contains it.
enum WriteJob: Sendable {
    case change(Change, answer: @Sendable (Result<Accepted, ChangeFailure>) -> Void)
    case rows(RowJob)
    case verdict(ScanVerdict, answer: @Sendable (Result<Bool, AdapterFailure>) -> Void)
    case removal(
        ConversationRemoval, answer: @Sendable (Result<ConversationRemoval.Outcome, AdapterFailure>) -> Void)

    /// Plain rows. Runs in a savepoint of its own, so that a violated constraint fails only this job.
    struct RowJob: Sendable {
        let run: @Sendable (Database) throws -> Void
        let answer: @Sendable (AdapterFailure?) -> Void
    }

    /// About how much memory it takes while it waits.
    var bytes: Int {
        if case .change(let change, _) = self { 512 + change.request.bytes } else { 512 }
    }

    /// The conversation that it removed.
    func removed(_ outcome: WriteOutcome) -> ConversationID? {
        guard case .removal(let removal, _) = self, case .removal(.removed) = outcome else { return nil }
        return removal.conversation
    }

    func answer(_ outcome: WriteOutcome) {
        switch (self, outcome) {
        case (.change(_, let answer), .change(let result)): answer(result)
        case (.rows(let job), .rows(let failure)): job.answer(failure)
        case (.verdict(_, let answer), .verdict(let isFirst)): answer(.success(isFirst))
        case (.removal(_, let answer), .removal(let outcome)): answer(.success(outcome))
        default: preconditionFailure("an outcome is of its job's kind")
        }
    }

    func fail(_ failure: AdapterFailure) {
        switch self {
        case .change(_, let answer): answer(.failure(.failed(failure)))
        case .rows(let job): job.answer(failure)
        case .verdict(_, let answer): answer(.failure(failure))
        case .removal(_, let answer): answer(.failure(failure))
        }
    }
}

/// What became of a job.
enum WriteOutcome {
    case change(Result<Accepted, ChangeFailure>)
    case rows(AdapterFailure?)
    case verdict(isFirst: Bool)
    case removal(ConversationRemoval.Outcome)
}

/// What listeners are told after a commit.
struct CommittedBatch {
    var outcomes: [WriteOutcome] = []
    var changes: [TailCache.Update] = []
    var notifications: [CommitNotification] = []
}
