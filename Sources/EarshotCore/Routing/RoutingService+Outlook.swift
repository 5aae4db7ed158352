public import EarshotDomain
public import EarshotModel
import Synchronization

/// What somebody who wrote for the first time now could expect.
public struct Outlook: Hashable, Sendable {
    /// Whether it is within the hours of where their conversation would go; if not, when these begin.
    public let isOpen: Bool
    public let opens: Timestamp?
    /// By when somebody answers, and in how many seconds from now; `nil`: nothing is promised.
    public let by: Timestamp?
    public let withinSeconds: Int64?
    /// How many wait there already.
    public let waiting: Int

    public init(isOpen: Bool, opens: Timestamp?, by: Timestamp?, withinSeconds: Int64?, waiting: Int) {
        self.isOpen = isOpen
        self.opens = opens
        self.by = by
        self.withinSeconds = withinSeconds
        self.waiting = waiting
    }
}

extension RoutingService {
    /// For an account that there is.
    public func outlook(for facts: RouteFacts, in account: AccountID) async throws -> Outlook {
        try await meet(account)
        // Anybody may ask: the rules are gone through before the lock, which every message needs.
        let routed = try await centres.centre(of: account).route(facts)
        let now = now()
        return memory.withLock { memory in
            guard let router = memory.routers[account] else { preconditionFailure("the router was made") }
            let staffed = router.timetable.staffed(routed.skill)
            let by =
                router.centre.isSetUp
                ? router.timetable.expected(routed.skill, routed.urgent ? .urgent : .first, from: now) : nil
            let isOpen = staffed.isOpen(at: now)
            return Outlook(
                isOpen: isOpen, opens: isOpen ? nil : staffed.nextOpening(after: now), by: by,
                withinSeconds: by.map { ($0.milliseconds - now.milliseconds + 999) / 1000 },
                waiting: router.engine.waiting(routed.skill))
        }
    }
}
