import EarshotDomain
import EarshotModel

/// The scheduled actions of an account's conversations, by their times. A new list for a conversation replaces its old
/// one.
struct ActionScheduler {
    /// The most conversations whose actions are taken at once: after a long stop of the server many may be due.
    private static let mostTaken = 1_000

    private var actions: [ConversationID: [ScheduledAction]] = [:]
    private var times = TimedHeap<ConversationID>()

    /// The earliest time of any action, or an earlier moment.
    var next: Timestamp? { times.next }

    /// Whether nothing is scheduled for this conversation.
    func isEmpty(_ conversation: ConversationID) -> Bool { actions[conversation] == nil }

    /// Sets everything that is scheduled for a conversation.
    mutating func set(_ new: [ScheduledAction], of conversation: ConversationID) {
        let sorted = new.sorted { $0.at < $1.at }
        actions[conversation] = sorted.isEmpty ? nil : sorted
        times.set(sorted.first?.at, for: conversation)
    }

    /// Returns actions that are due, of at most `mostTaken` conversations; each is returned once. Expired ones are
    /// omitted.
    mutating func takeDue(now: Timestamp) -> [ProposedAction] {
        var due: [ProposedAction] = []
        var taken = 0
        while taken < Self.mostTaken, let conversation = times.takeFirst(until: now) {
            taken += 1
            let all = actions[conversation] ?? []
            due += all.filter { $0.at <= now && $0.expiresAt.map { now < $0 } ?? true }.map {
                ProposedAction(conversation, $0.action)
            }
            set(all.filter { $0.at > now }, of: conversation)
        }
        return due
    }
}
