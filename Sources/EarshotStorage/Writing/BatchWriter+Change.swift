import EarshotCore
import EarshotDomain
import EarshotModel

extension BatchWriter {
    /// One change: seen key? → state → decide → events. Nothing is written before all of it is decided.
    func run(_ change: Change) throws -> Result<Accepted, ChangeFailure> {
        guard let conversation = try conversation(change.target.conversation, identity: change.target.newIdentity)
        else {
            return .failure(.refused(.notFound))
        }
        let key = StoredKey(author: change.request.author, key: change.request.key)
        if let answer = try answered(change, key, in: conversation) { return answer }
        let facts: [Fact]
        let known = try change.recording.flatMap { try self.recording($0, in: change.target.conversation) }
        var recording = known
        do throws(Rejection) {
            facts = try change.decide(conversation.state, &recording)
        } catch {
            return .failure(.refused(error))
        }
        guard !facts.isEmpty else {
            return .failure(.failed(AdapterFailure("a decision without a fact", isRetryable: false)))
        }
        if !conversation.isDirty { touch(conversation) }
        for (index, fact) in facts.enumerated() {
            try append(
                fact, at: change.request.at, key: index == facts.count - 1 ? key : nil, digest: change.request.digest,
                to: conversation)
        }
        if let recording, recording != known { try write(recording) }
        if let audit = change.request.audit { try statements.record(audit) }
        return .success(Accepted(sequence: conversation.state.sequence, at: change.request.at, isRepeat: false))
    }

    /// The first answer again, where the key is known.
    private func answered(_ change: Change, _ key: StoredKey, in conversation: CachedConversation) throws -> Result<
        Accepted, ChangeFailure
    >? {
        guard conversation.state.sequence > 0 else { return nil }
        guard let known = try keys.find(key, in: conversation) else { return nil }
        guard known.digest == change.request.digest else {
            return .failure(
                .refused(
                    Rejection(.keyReused, "This idempotency key was already used for another command. Use a new key.")))
        }
        return .success(Accepted(sequence: known.sequence, at: known.at, isRepeat: true))
    }

    func append(_ fact: Fact, at: Timestamp, key: StoredKey?, digest: [UInt8], to conversation: CachedConversation)
        throws
    {
        let event = Event(sequence: conversation.state.sequence + 1, at: at, by: fact.by, kind: fact.kind)
        let stored = StoredEvent(
            sequence: event.sequence, encoded: event.wireBytes, isSameForAll: event.visible(to: .consumer) == .same)
        let sealed = try conversation.contentKey(statements.contentKey).seal(stored.encoded, .event, event.sequence)
        let row = try statements.insertEvent.insert { binder in
            binder.integer(conversation.pk, at: 1)
            binder.integer(event.sequence, at: 2)
            binder.integer(event.at.milliseconds, at: 3)
            binder.integer(stored.isSameForAll ? 1 : 0, at: 4)
            binder.blob(sealed, at: 5)
            binder.text(key?.text, at: 6)
            binder.blob(key == nil ? nil : digest, at: 7)
            binder.text(event.countedKind, at: 8)
        }
        if let key { keys.add(key, digest: digest, of: event, row: row, in: conversation) }
        try conversation.apply(event, stored: stored)
    }

    /// Its row as it is now.
    func write(_ conversation: CachedConversation) throws {
        try conversation.seal(with: try conversation.contentKey(statements.contentKey))
        if conversation.isStored {
            try statements.updateConversation.run { binder in
                conversation.bindChanging(to: binder, from: 1)
                binder.integer(conversation.pk, at: ConversationRow.changingColumns.count + 1)
            }
        } else {
            let identity = conversation.state.identity
            try statements.insertConversation.run { binder in
                binder.integer(conversation.pk, at: 1)
                binder.text(identity.id.rawValue, at: 2)
                binder.integer(conversation.feed.pk, at: 3)
                binder.text(identity.app.rawValue, at: 4)
                binder.text(identity.consumer.rawValue, at: 5)
                binder.text(identity.channel.rawValue, at: 6)
                conversation.bindChanging(to: binder, from: 7)
            }
        }
    }
}

extension Event {
    /// The kind under which it is counted, for a query that does not open it.
    fileprivate var countedKind: String {
        switch kind {
        case .text: "text"
        case .audio: "audio"
        case .automatic: "automatic"
        default: "other"
        }
    }
}
