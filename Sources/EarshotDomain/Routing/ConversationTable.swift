import EarshotModel

/// The open conversations of an account. Each has a slot: a small number that is used again after the conversation was
/// removed.
struct ConversationTable: Sendable {
    private var conversations: [TrackedConversation?] = []
    private var slots: [ConversationID: Int] = [:]
    private var freeSlots: [Int] = []

    /// The conversation in this slot.
    subscript(slot: Int) -> TrackedConversation? { conversations[slot] }

    /// The conversation with this id.
    subscript(id: ConversationID) -> TrackedConversation? { slots[id].flatMap { conversations[$0] } }

    /// All conversations, in the order of their slots.
    var all: [TrackedConversation] { conversations.compactMap { $0 } }

    /// The slots in use, in order.
    var usedSlots: [Int] { conversations.indices.filter { conversations[$0] != nil } }

    func slot(of id: ConversationID) -> Int? { slots[id] }

    /// The slot of this conversation, made if it has none.
    mutating func addSlot(for id: ConversationID) -> Int {
        if let slot = slots[id] { return slot }
        if freeSlots.isEmpty {
            conversations.append(nil)
            freeSlots.append(conversations.count - 1)
        }
        let slot = freeSlots.removeLast()
        slots[id] = slot
        return slot
    }

    mutating func set(_ conversation: TrackedConversation, in slot: Int) { conversations[slot] = conversation }

    /// Changes the conversation in this slot, if there is one.
    mutating func update(_ slot: Int, _ change: (inout TrackedConversation) -> Void) {
        if conversations[slot] != nil { change(&conversations[slot]!) }
    }

    /// Removes a conversation. - Returns: its slot and its last placement; `nil`: it is not open.
    mutating func remove(_ id: ConversationID) -> (slot: Int, placement: Placement?)? {
        guard let slot = slots.removeValue(forKey: id) else { return nil }
        let placement = conversations[slot]?.placement
        conversations[slot] = nil
        freeSlots.append(slot)
        return (slot, placement)
    }
}
