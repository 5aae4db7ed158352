public import EarshotDomain
public import EarshotModel

/// How a request names a person: as a consumer of the brand, or as someone whom the brand's identity provider knows.
public enum ConsumerSelection: Hashable, Sendable {
    /// The consumer's id.
    case consumer(ConsumerID)
    /// The claims `iss` and `sub` of the person's ID tokens: one consumer in each app.
    case subject(ProviderSubject)
}

/// Finds consumers by what names them, also those who never wrote.
public struct ConsumerLookup: Sendable {
    private let consumers: any ConsumerStore
    private let identities: any ConsumerIdentityStore

    /// Creates it.
    public init(consumers: any ConsumerStore, identities: any ConsumerIdentityStore) {
        (self.consumers, self.identities) = (consumers, identities)
    }

    /// The consumers of a brand whom a selection names, oldest first; empty if there is none.
    public func consumers(_ selection: ConsumerSelection, of account: AccountID) async throws(AdapterFailure)
        -> [Consumer]
    {
        switch selection {
        case .consumer(let id):
            guard let found = try await consumers.consumer(id), found.account == account else { return [] }
            return [found]
        case .subject(let subject): return try await identities.consumers(of: subject, in: account)
        }
    }
}

extension Consumer {
    /// The consumer's conversation, which may not have begun.
    public var identity: ConversationIdentity {
        ConversationIdentity(id: conversation, account: account, app: app, consumer: id, channel: .web)
    }
}
