import EarshotModel

/// Finds what a person may do and see: from the role, the profile, the groups and the skills.
struct CallerReader: Sendable {
    let profiles: any ProfileStore
    let centres: any ContactCentreSource

    /// Makes the caller. A person whose profile is gone may do nothing until a manager gives them another one.
    func caller(_ agent: Agent) async throws -> AgentCaller {
        guard let id = agent.profile else { return AgentCaller(agent) }
        let permissions = try await profiles.profile(id, of: agent.account)?.permissions ?? []
        guard !permissions.contains(.seeAllConversations) else {
            return AgentCaller(agent, permissions: permissions, scope: .everything)
        }
        let part = ConversationScope.Part(
            of: agent.id, groups: try await profiles.groups(of: agent.account),
            in: try await centres.centre(of: agent.account), hasHistory: permissions.contains(.readHistory))
        return AgentCaller(agent, permissions: permissions, scope: .part(part))
    }
}
