/// The feeds of a connection that depend on who signed in.
enum RoleFeeds {
    case none
    case consumer(ConsumerStatusFeed)
    case agent(AgentStatusFeed, InboxSubscriber)

    var consumerStatus: ConsumerStatusFeed? {
        if case .consumer(let status) = self { status } else { nil }
    }

    var agentStatus: AgentStatusFeed? {
        if case .agent(let status, _) = self { status } else { nil }
    }

    var inbox: InboxSubscriber? {
        if case .agent(_, let inbox) = self { inbox } else { nil }
    }

    /// Ends the feeds. Nothing may use them afterwards.
    func stop() {
        guard case .agent(let status, let inbox) = self else { return }
        status.stop()
        inbox.leave()
    }
}
