import EarshotCore
import EarshotDomain
import EarshotModel

/// A conversation in the writer's cache: what is on disk, plus what the current batch adds. Only the writer's thread
/// uses it.
final class CachedConversation {
    let pk: Int64
    let feed: CachedFeed
    private(set) var state: ConversationState
    private(set) var marks: Marks
    private(set) var position: Int64
    /// What of `state` is stored encoded.
    private(set) var parts: ConversationRow.Parts
    /// `state`'s preview and the encoded parts as they are stored: encrypted.
    private var sealed = SealedParts()
    private var key: ContentKey?
    private(set) var facets: Set<SearchFacet>
    /// The facets that are on disk.
    private(set) var storedFacets: Set<SearchFacet>

    /// Whether its row exists, not counting the running batch.
    private(set) var isStored: Bool
    private(set) var isDirty = false
    private(set) var marksMoved = false
    /// What the running batch wrote.
    private(set) var events: [StoredEvent] = []
    /// What the running batch knows of voice messages that were played further.
    private(set) var playback: [Int: PendingPlayback] = [:]

    init(_ row: ConversationRow, feed: CachedFeed, isStored: Bool) throws {
        (pk, state, marks, position) = (row.pk, row.state, row.marks, row.position)
        (self.feed, self.isStored) = (feed, isStored)
        parts = try ConversationRow.Parts(row.state)
        facets = SearchFacet.all(of: row.state.routing)
        storedFacets = facets
    }

    func apply(_ event: Event, stored: StoredEvent) throws {
        let before = ConversationRow.Parts.Before(state)
        state.apply(event)
        if try parts.update(state, from: before) { facets = SearchFacet.all(of: state.routing) }
        marks.unplayed.apply(event)
        events.append(stored)
        isDirty = true
    }

    func raise(_ mark: Mark) {
        if marks.raise(mark, lastSequence: state.sequence) { (isDirty, marksMoved) = (true, true) }
    }

    /// Counts what was played of a voice message.
    func play(_ progress: PendingPlayback) {
        playback[progress.sequence] = progress
        if progress.isListenedByBrand { marks.unplayed.remove(progress.sequence) }
        (isDirty, marksMoved) = (true, true)
    }

    /// Takes the next position of the account's feed, as the batch ends.
    func takePosition() {
        feed.position += 1
        position = feed.position
        if !playback.isEmpty { marks.playbackPosition = position }
    }

    /// Marks the current batch as written to disk.
    func markStored() {
        (isStored, isDirty, marksMoved, storedFacets) = (true, false, false, facets)
        events = []
        playback = [:]
    }

    var tailChange: TailCache.Update {
        TailCache.Update(state: state, marks: marks, position: position, events: events)
    }

    var notification: CommitNotification {
        CommitNotification(
            account: state.identity.account, position: position, conversation: state.identity.id,
            sequence: state.sequence, marksMoved: marksMoved)
    }
}

extension CachedConversation {
    /// Its key. It is read or made once.
    func contentKey(_ obtain: (ConversationIdentity) throws -> ContentKey) throws -> ContentKey {
        if let key { return key }
        let obtained = try obtain(state.identity)
        key = obtained
        return obtained
    }

    /// Encrypts what differs from what was encrypted last.
    func seal(with key: ContentKey) throws {
        try sealed.update(preview: state.last?.text, parts, with: key)
    }

    /// Binds what may change, from place `first` on, in the order of `ConversationRow.changingColumns`.
    func bindChanging(to binder: Binder, from first: Int) {
        binder.integer(position, at: first)
        binder.integer(state.isFinished ? 1 : 0, at: first + 1)
        binder.text(state.status.rawValue, at: first + 2)
        binder.integer(state.sequence, at: first + 3)
        binder.integer(state.lastEventAt?.milliseconds ?? 0, at: first + 4)
        binder.integer(state.since?.milliseconds, at: first + 5)
        binder.integer(state.assignee?.rawValue, at: first + 6)
        binder.integer(state.last?.by.rawValue, at: first + 7)
        binder.blob(sealed.preview.sealed, at: first + 8)
        binder.integer(state.last?.audio, at: first + 9)
        binder.blob(sealed.people.sealed, at: first + 10)
        binder.blob(PackedNumbers.encode(state.unanswered), at: first + 11)
        binder.blob(marks.packed, at: first + 12)
        binder.blob(marks.unplayed.packed, at: first + 13)
        binder.integer(marks.playbackPosition, at: first + 14)
        binder.blob(parts.timestamps, at: first + 15)
        binder.blob(sealed.routing.sealed, at: first + 16)
    }
}

/// An account's feed as the writer knows it.
final class CachedFeed {
    let pk: Int64
    var position: Int64

    init(pk: Int64, position: Int64) {
        self.pk = pk
        self.position = position
    }
}
