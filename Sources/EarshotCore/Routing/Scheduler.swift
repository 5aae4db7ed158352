import EarshotDomain
import EarshotModel

/// The scheduledActions of an account's conversations, in the order of their times. A new list for a conversation replaces its old one.
struct Scheduler {
    private var scheduledActions: [ConversationID: [ScheduledAction]] = [:]
    /// A heap of (time, conversation); what is outdated is skipped when it comes up.
    private var heap: [(at: Timestamp, conversation: ConversationID)] = []

    /// All that is to be done there from here on.
    mutating func set(_ new: [ScheduledAction], of conversation: ConversationID) {
        guard !new.isEmpty else {
            scheduledActions[conversation] = nil
            return
        }
        let known = scheduledActions[conversation].flatMap(\.first)
        let sorted = new.sorted { $0.due < $1.due }
        scheduledActions[conversation] = sorted
        if known?.due != sorted[0].due { push(sorted[0].due, conversation) }
        if heap.count > 2 * scheduledActions.count + 64 { rebuild() }
    }

    /// Every answer moves the time of closing: what is outdated would pile up for as long as that time is away.
    private mutating func rebuild() {
        heap = []
        for (conversation, all) in scheduledActions { if let first = all.first { push(first.due, conversation) } }
    }

    /// What is due now; each is given once. One that is too late is left away.
    mutating func take(at now: Timestamp) -> [(ConversationID, ScheduledAction)] {
        var due: [(ConversationID, ScheduledAction)] = []
        while let next = heap.first, next.at <= now {
            let (_, conversation) = pop()
            guard let all = scheduledActions[conversation] else { continue }
            due += all.filter { $0.due <= now && $0.lapses.map { now < $0 } ?? true }.map { (conversation, $0) }
            set(all.filter { $0.due > now }, of: conversation)
        }
        return due
    }

    /// Whether nothing is to be done there any more.
    func isFree(_ conversation: ConversationID) -> Bool { scheduledActions[conversation] == nil }

    var next: Timestamp? { heap.first?.at }

    private mutating func push(_ at: Timestamp, _ conversation: ConversationID) {
        heap.append((at, conversation))
        var child = heap.count - 1
        while child > 0, heap[child].at < heap[(child - 1) / 2].at {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    private mutating func pop() -> (at: Timestamp, conversation: ConversationID) {
        heap.swapAt(0, heap.count - 1)
        let top = heap.removeLast()
        var parent = 0
        while true {
            let children = [2 * parent + 1, 2 * parent + 2].filter { $0 < heap.count }
            guard let least = children.min(by: { heap[$0].at < heap[$1].at }), heap[least].at < heap[parent].at else {
                return top
            }
            heap.swapAt(parent, least)
            parent = least
        }
    }
}
