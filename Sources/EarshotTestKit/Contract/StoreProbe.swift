import Dispatch
public import EarshotCore
public import EarshotDomain
public import EarshotModel
import Synchronization

/// Speaks to a store in the words of a test.
public struct StoreProbe: Sendable {
    /// The answer to a change.
    public typealias Answer = Result<Accepted, ChangeFailure>

    /// The database under test.
    public let storage: any StorageAdapter
    /// Its conversation log.
    public var store: any ConversationStore { storage.log }
    /// The clock that gives changes their time.
    public let clock: ManualClock
    /// Records the commits of the store.
    public let listener: RecordingCommitListener

    /// - Parameter connecting: whether this probe's listener becomes the log's.
    public init(_ storage: any StorageAdapter, clock: ManualClock = ManualClock(), connecting: Bool = true) {
        (self.storage, self.clock, listener) = (storage, clock, RecordingCommitListener())
        if connecting { store.connect(listener) }
    }

    /// The change that this command is, asked for now.
    public func change(
        _ command: Command, key: String, in identity: ConversationIdentity, by actor: Actor = .consumer,
        context: Context? = nil
    ) -> Change {
        let author: String
        switch actor {
        case .consumer: author = identity.consumer.rawValue
        case .agent(let id, _, _, _): author = id.rawValue
        }
        return Change(
            actor == .consumer ? .existingOrNew(identity) : .existing(identity.id),
            .init(
                author: author, key: IdempotencyKey(trusted: key), digest: Self.digest(of: command), at: clock.now),
            decide: { [now = clock.now] state throws(Rejection) in
                try state.decide(command, by: actor, in: context ?? Context(now: now))
            })
    }

    /// The change that Earshot itself makes.
    public func change(
        _ action: RoutingAction, with context: RoutingActionContext = RoutingActionContext(), key: String,
        in identity: ConversationIdentity
    ) -> Change {
        Change(
            .existing(identity.id),
            .init(author: AuditEntry.earshot, key: IdempotencyKey(trusted: key), digest: [], at: clock.now),
            decide: { state throws(Rejection) in try state.decide(action, in: context) })
    }

    /// Performs a change and waits for its answer.
    public func perform(_ change: Change) async -> Answer {
        await withCheckedContinuation { continuation in store.change(change) { continuation.resume(returning: $0) } }
    }

    /// Accepted, or the check fails.
    @discardableResult
    public func accept(_ command: Command, key: String, in identity: ConversationIdentity, by actor: Actor = .consumer)
        async throws -> Accepted
    {
        try await perform(change(command, key: key, in: identity, by: actor)).get()
    }

    /// Performs a command that must be refused, and returns the code.
    public func refusal(_ command: Command, key: String, in identity: ConversationIdentity, by actor: Actor = .consumer)
        async throws -> Rejection.Code
    {
        try await perform(change(command, key: key, in: identity, by: actor)).refusal()
    }

    /// Hands over all of them while the writer is held in a decision, so that they are stored together.
    /// - Returns: the answers in the order of the changes.
    public func together(_ changes: [Change], and alsoWhileHeld: () -> Void = {}) async -> [Answer] {
        let holding = DispatchSemaphore(value: 0)
        let gate = Change(
            .existingOrNew(.sample(0, account: "gate")),
            .init(author: "gate", key: IdempotencyKey(trusted: "gate"), digest: [], at: clock.now),
            decide: { _ throws(Rejection) in
                // A store may ask again, after a neighbour failed.
                holding.wait()
                holding.signal()
                throw .notFound
            })
        store.change(gate) { _ in }
        return await withCheckedContinuation { continuation in
            let answers = Mutex([Answer?](repeating: nil, count: changes.count))
            for (index, change) in changes.enumerated() {
                store.change(change) { answer in
                    let all = answers.withLock { answers -> [Answer]? in
                        answers[index] = answer
                        let given = answers.compactMap { $0 }
                        return given.count == changes.count ? given : nil
                    }
                    if let all { continuation.resume(returning: all) }
                }
            }
            alsoWhileHeld()
            holding.signal()
        }
    }

    /// Reads a snapshot of a conversation that must exist.
    public func view(_ identity: ConversationIdentity, after: Int? = nil, limit: Int = Limits.pageEvents) async throws
        -> ConversationView
    {
        guard let view = try await store.view(identity.id, after: after, limit: limit) else {
            throw ContractBroken(description: "there is no view of \(identity.id)")
        }
        return view
    }

    /// Sixteen bytes that tell commands apart. Not SHA-256: a store treats the digest as opaque bytes.
    private static func digest(of command: Command) -> [UInt8] {
        [0xcbf2_9ce4_8422_2325, 0x8422_2325_cbf2_9ce4].flatMap { (seed: UInt64) in
            let hash = command.canonicalBytes.reduce(seed) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
            return (0..<8).map { UInt8(truncatingIfNeeded: hash >> ($0 * 8)) }
        }
    }
}

extension StoreProbe.Answer {
    /// The code of the refusal, or the check fails.
    func refusal() throws -> Rejection.Code {
        guard case .failure(.refused(let rejection)) = self else {
            throw ContractBroken(description: "not refused: \(self)")
        }
        return rejection.code
    }
}
