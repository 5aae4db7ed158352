import EarshotCore
import EarshotDomain
import EarshotModel
import Synchronization

/// Caches the newest events of busy conversations. Deliveries and most reconnects are served from it.
///
/// Only the writer fills it, after each commit. So it never has an event that is not on disk, and never lacks one that
/// was acknowledged. It is bounded per conversation and in total; what is evicted is read from disk again.
final class TailCache: Sendable {
    /// The limits of the cache.
    struct Bounds: Sendable {
        var eventsPerConversation = 100
        var bytesPerConversation = 128 * 1024
        var bytesInTotal = 48 * 1024 * 1024
    }

    /// What a commit changed in one conversation.
    struct Update {
        let state: ConversationState
        let marks: Marks
        let position: Int64
        /// The events of the commit, the last of them numbered `state.sequence`.
        let events: [StoredEvent]
    }

    private struct Tail {
        /// Events without a gap up to `state.sequence`; may be empty.
        var events: [StoredEvent] = []
        var state: ConversationState
        var marks: Marks
        var position: Int64
        var bytes = 0

        /// Every event after this number is cached.
        var floor: Int { state.sequence - events.count }
        /// The approximate memory that the tail takes.
        var weight: Int { bytes + 800 }
    }

    private let bounds: Bounds
    private let tails: Mutex<ApproximateLRUCache<ConversationID, Tail>>

    init(bounds: Bounds) {
        self.bounds = bounds
        tails = Mutex(ApproximateLRUCache(weightLimit: bounds.bytesInTotal))
    }

    /// Adds what a commit changed.
    func publish(_ changes: [TailCache.Update]) {
        tails.withLock { tails in
            for change in changes { publish(change, in: &tails) }
            tails.evictIfFull()
        }
    }

    /// Forgets conversations that were removed.
    func remove(_ conversations: [ConversationID]) {
        guard !conversations.isEmpty else { return }
        tails.withLock { tails in
            for conversation in conversations { tails.remove(conversation) }
        }
    }

    func tail(_ conversation: ConversationID, after: Int) -> ConversationTail? {
        tails.withLock { tails in
            guard let tail = tails.use(conversation, weight: \.weight), after >= tail.floor else { return nil }
            let skipped = min(after - tail.floor, tail.events.count)
            return ConversationTail(
                events: Array(tail.events[skipped...]), state: tail.state, marks: tail.marks, position: tail.position)
        }
    }

    /// Returns the same answer as the database would, or `nil` if not all of it is cached.
    func view(_ conversation: ConversationID, after: Int?, limit: Int) -> ConversationView? {
        tails.withLock { tails in
            guard let tail = tails.use(conversation, weight: \.weight) else { return nil }
            let window = ViewWindow(last: tail.state.sequence, after: after, limit: limit)
            guard window.floor >= tail.floor else { return nil }
            return ConversationView(
                state: tail.state, marks: tail.marks, events: Array(tail.events[(window.floor - tail.floor)...]),
                hasMore: window.floor > 0,
                continuesCursor: window.continuesCursor)
        }
    }

    func identity(of conversation: ConversationID) -> ConversationIdentity? {
        tails.withLock { $0.use(conversation, weight: \.weight)?.state.identity }
    }

    private func publish(_ change: Update, in tails: inout ApproximateLRUCache<ConversationID, Tail>) {
        let fresh = Tail(state: change.state, marks: change.marks, position: change.position)
        tails.update(change.state.identity.id, default: fresh, weight: \.weight) { tail in
            let before = tail.weight
            if tail.state.sequence + change.events.count != change.state.sequence {
                (tail.events, tail.bytes) = ([], 0)
            }
            tail.events += change.events
            tail.bytes += change.events.reduce(0) { $0 + Self.bytes(of: $1) }
            (tail.state, tail.marks, tail.position) = (change.state, change.marks, change.position)
            trim(&tail)
            return tail.weight - before
        }
    }

    /// Trims a tail to the limits once it exceeds them by half, so that the cost is amortised.
    private func trim(_ tail: inout Tail) {
        guard
            tail.events.count > bounds.eventsPerConversation * 3 / 2 || tail.bytes > bounds.bytesPerConversation * 3 / 2
        else { return }
        var dropped = 0
        while tail.events.count - dropped > bounds.eventsPerConversation || tail.bytes > bounds.bytesPerConversation {
            tail.bytes -= Self.bytes(of: tail.events[dropped])
            dropped += 1
        }
        tail.events.removeFirst(dropped)
    }

    private static func bytes(of event: StoredEvent) -> Int { event.encoded.count + 64 }
}

/// Decides which events a snapshot has: those with a number above `floor`.
struct ViewWindow: Equatable, Sendable {
    let floor: Int
    let continuesCursor: Bool

    init(last: Int, after: Int?, limit: Int) {
        if let after, after >= 0, after <= last, last - after <= limit {
            (floor, continuesCursor) = (after, true)
        } else {
            (floor, continuesCursor) = (max(0, last - limit), false)
        }
    }
}
