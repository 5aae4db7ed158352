import EarshotModel

/// Conversations and people of one account whose routing changed.
struct RoutingChanges: Sendable {
    private(set) var conversations: Set<ConversationID> = []
    private(set) var people: Set<AgentID> = []

    mutating func add(_ conversations: Set<ConversationID>, _ people: Set<AgentID>) {
        self.conversations.formUnion(conversations)
        self.people.formUnion(people)
    }
}
