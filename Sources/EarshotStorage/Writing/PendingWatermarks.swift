import EarshotCore
import EarshotModel

/// Watermark updates that are not on disk yet. They are not acknowledged, so they may wait: for a batch that changes
/// their conversation anyway, or until they are due together.
struct PendingWatermarks: Sendable {
    typealias Requests = [ConversationID: [WatermarkUpdate]]

    /// How long the oldest waits at most, in nanoseconds.
    static let delay: UInt64 = 250_000_000

    /// Those of more conversations are dropped when they cannot be written; clients send them again.
    static let conversationLimit = 50_000

    enum Due: Sendable {
        /// Time is up: write every one.
        case all(Requests)
        /// Write those of conversations that the batch changes anyway.
        case ofTouched(Requests)

        var isAll: Bool {
            if case .all = self { true } else { false }
        }
    }

    private var requests: Requests = [:]
    private var oldest: UInt64 = 0

    /// When they must be written; `nil` where there are none.
    var deadline: UInt64? { requests.isEmpty ? nil : oldest + Self.delay }

    mutating func add(_ more: [WatermarkUpdate], at now: UInt64) {
        guard !more.isEmpty else { return }
        if requests.isEmpty { oldest = now }
        for request in more { requests[request.conversation, default: []].append(request) }
    }

    func due(at now: UInt64, isLast: Bool) -> Due {
        guard let deadline else { return .ofTouched([:]) }
        return now >= deadline || isLast ? .all(requests) : .ofTouched(requests)
    }

    /// These are on disk: all of them, or those of the conversations that the batch touched.
    mutating func written(_ due: Due, touched: some Sequence<ConversationID>) {
        switch due {
        case .all: requests = [:]
        case .ofTouched: for conversation in touched { requests[conversation] = nil }
        }
    }

    /// They could not be written. After another delay they are tried again, unless one of them may be the reason.
    mutating func failed(_ due: Due, _ grade: FailureGrade, at now: UInt64) {
        oldest = now
        let mayPass = grade == .ofTheMoment || grade == .ofAFullDisk
        if due.isAll, !mayPass || requests.count > Self.conversationLimit { requests = [:] }
    }
}
