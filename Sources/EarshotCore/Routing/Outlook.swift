public import EarshotDomain
public import EarshotModel

/// What a consumer who wrote for the first time now could expect.
public struct Outlook: Hashable, Sendable {
    /// Whether somebody can answer now: within the hours, and a person who may answer is online.
    public let isOpen: Bool
    /// The hours of the skill that their conversation would go to.
    public let hours: OpeningState
    /// When they would have an answer; `nil`: no time is promised.
    public let by: Timestamp?
    /// The same in seconds from now.
    public let withinSeconds: Int64?
    /// How many conversations wait in that queue.
    public let waiting: Int

    /// Makes the value.
    public init(isOpen: Bool, hours: OpeningState, by: Timestamp?, withinSeconds: Int64?, waiting: Int) {
        self.isOpen = isOpen
        self.hours = hours
        self.by = by
        self.withinSeconds = withinSeconds
        self.waiting = waiting
    }
}

extension RoutingService {
    /// What a consumer of whom this is known could expect. The account must exist.
    public func outlook(for facts: RouteFacts, in account: AccountID) async throws -> Outlook {
        let router = try await loadedRouter(of: account)
        // Anybody may ask: the rules are applied outside the lock that every message needs.
        let routed = try await centres.centre(of: account).route(facts)
        let now = now
        let outlook = router.read { router in
            let by =
                router.settings.isSetUp
                ? router.timetable.expected(routed.skill, routed.urgent ? .urgent : .first, from: now) : nil
            return Outlook(
                isOpen: router.canAnswer(routed.skill, now: now), hours: router.hours(routed.skill, now: now), by: by,
                withinSeconds: by.map { ($0.milliseconds - now.milliseconds + 999) / 1000 },
                waiting: router.engine.waiting(routed.skill))
        }
        guard let outlook else { preconditionFailure("the router was loaded") }
        return outlook
    }
}
