import EarshotModel

extension RoutingEngine {
    /// An hour of time left is no points, less is more.
    static let hourMs: Int64 = 3_600_000
    static let urgentMs: Int64 = 300_000
    static let transferMs: Int64 = 120_000
    static let countedTransfers = 5

    /// What the order goes by: those that can be acted on, those that wait for the consumer, those that are put off.
    enum Standing: Int64 {
        case actionable, waitsForConsumer, putOff
    }

    func standing(of ticket: QueueEntry, _ now: Timestamp) -> Standing {
        if isPutOff(ticket, now) { return .putOff }
        return ticket.unansweredSince != nil || ticket.callback != nil ? .actionable : .waitsForConsumer
    }

    /// The place in its queue. The points of all grow alike from moment to moment, so that their order stays while time passes: what is sorted is points less time.
    func rank(of entry: Entry, _ slot: Int, _ now: Timestamp) -> Rank {
        let ticket = entry.ticket
        let lateness = lateness(of: entry).map { -$0 } ?? 0
        return Rank(
            first: standing(of: ticket, now).rawValue,
            second: -(lateness - quarter(ticket.queuedAt) + bonus(of: ticket)), slot: slot)
    }

    /// What two heads of queues are compared by: milliseconds, velocity counted.
    func worth(of slot: Int, _ now: Timestamp) -> (standing: Int64, points: Int64) {
        guard let entry = entries[slot], let rank = entry.filing?.rank else { return (.max, 0) }
        return (rank.first, Self.hastened(points(of: entry, now), queues[entry.queue].skill.velocity))
    }

    /// Velocity makes what counts for a conversation count more, and what counts against it less.
    static func hastened(_ points: Int64, _ velocity: Int) -> Int64 {
        let velocity = Int64(max(1, velocity))
        return points >= 0 ? points * velocity / 100 : points * 100 / velocity
    }

    /// The points, part for part: their sum orders the queue.
    func score(of entry: Entry, _ now: Timestamp) -> Score {
        let (ticket, points) = (entry.ticket, points(of: entry, now))
        let parts: [(Score.Name, Int64)] = [
            (.timeLeft, lateness(of: entry).map { Self.hourMs - ($0 - now.milliseconds) } ?? 0),
            (.waiting, quarter(now) - quarter(ticket.queuedAt)),
            (.urgent, ticket.isUrgent ? Self.urgentMs : 0), (.transfers, transferPoints(of: ticket)),
            (.unplayed, Int64(ticket.unplayedMs)),
            (.velocity, Self.hastened(points, queues[entry.queue].skill.velocity) - points),
        ]
        return Score(
            isActionable: standing(of: ticket, now) == .actionable,
            parts: parts.map { Score.Part(name: $0, points: Int($1 / 1000)) })
    }

    private func points(of entry: Entry, _ now: Timestamp) -> Int64 {
        let left = lateness(of: entry).map { Self.hourMs - ($0 - now.milliseconds) } ?? 0
        return left + quarter(now) - quarter(entry.ticket.queuedAt) + bonus(of: entry.ticket)
    }

    private func bonus(of ticket: QueueEntry) -> Int64 {
        (ticket.isUrgent ? Self.urgentMs : 0) + transferPoints(of: ticket) + Int64(ticket.unplayedMs)
    }

    private func transferPoints(of ticket: QueueEntry) -> Int64 {
        Int64(min(ticket.transfers, Self.countedTransfers)) * Self.transferMs
    }

    private func quarter(_ moment: Timestamp) -> Int64 { moment.milliseconds / 4 }

    /// When it is due; where nobody is ever there again, as if always somebody were.
    private func lateness(of entry: Entry) -> Int64? {
        if let due = entry.due { return due.milliseconds }
        return entry.ticket.unansweredSince.map {
            $0.milliseconds + Int64(queues[entry.queue].skill.sla[entry.ticket.responseClass]) * 1000
        }
    }
}
