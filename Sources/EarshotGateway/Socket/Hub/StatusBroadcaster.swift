import EarshotCore
import EarshotModel

/// Sends what routing changes to the connections of one event loop. A change is sent at once where nothing was sent
/// within the last second; more frequent changes wait for the end of that second.
final class StatusBroadcaster {
    /// When an account's status was checked last, and whether it changed since.
    private struct Check {
        var isChanged = true
        var checkedAt: Timestamp?
    }

    private unowned let loop: SocketLoop
    private var accounts: [AccountID: Check] = [:]

    init(_ loop: SocketLoop) { self.loop = loop }

    /// From now on this account is checked once a second.
    func track(_ account: AccountID) {
        if accounts[account] == nil { accounts[account] = Check() }
    }

    /// Routing changed conversations and people of this account.
    func send(_ changes: RoutingChanges, in account: AccountID, routing: RoutingService) {
        accounts[account, default: Check()].isChanged = true
        loop.inboxFeed(of: account)?.routingChanged(changes.conversations, routing)
        for status in loop.agentStatuses(of: account) where status.isAmong(changes.people) { status.ownStatusChanged() }
        for conversation in changes.conversations {
            for status in loop.consumerStatuses(of: conversation) { status.expectationChanged() }
        }
    }

    /// How many accounts are checked.
    var count: Int { accounts.count }

    /// Sends what changed, and forgets accounts without connections. Called once a second.
    func check(routing: RoutingService, at now: Timestamp) {
        guard !accounts.isEmpty else { return }
        let waiting = loop.waitingConsumers()
        accounts = accounts.filter { waiting[$0.key] != nil }
        for (account, check) in accounts {
            let isLate = check.checkedAt.map { now >= $0.adding(milliseconds: loop.limits.expectMs) } ?? true
            guard check.isChanged || isLate else { continue }
            accounts[account] = Check(isChanged: false, checkedAt: now)
            for status in waiting[account] ?? [] { status.send() }
            if check.isChanged { sendPeople(of: account, routing) }
        }
    }

    private func sendPeople(of account: AccountID, _ routing: RoutingService) {
        let statuses = loop.agentStatuses(of: account)
        for status in statuses { status.sendPending() }
        for topic in [AgentStatusFeed.Topic.team, .wall] where statuses.contains(where: { $0.wants(topic) }) {
            let frame = topic.frame(routing, account)
            loop.compose { $0.rare(frame) }
            for status in statuses { status.writeComposed(topic) }
        }
    }

    /// Tells agents that another version of the contact-centre settings is in force, and sends their rows again.
    func sendSettingsVersion(_ version: Int, of account: AccountID) {
        guard let feed = loop.inboxFeed(of: account) else { return }
        loop.compose { $0.rare(.centre(version)) }
        for subscriber in feed.subscribers { subscriber.writeComposedIfRoom() }
        feed.sendAllRows()
    }
}
