/// The rows of accounts and of everything that belongs to them, except conversations.
public typealias AccountData = AccessStore & AccountStore & AgentStore & AuditStore & ConsumerStore & RecordingStore
    & SessionStore & SettingsStore

/// The rows of contact centres, their search index, and what routing reads.
public typealias ContactCentreData = ContactCentreStore & RoutingSource & SavedViewStore & SearchStore

/// A database with all storage ports of the core.
public protocol StorageAdapter: Sendable {
    /// The conversation log.
    var log: any ConversationStore { get }
    /// The rows of accounts.
    var accounts: any AccountData { get }
    /// The rows of contact centres.
    var contactCentre: any ContactCentreData { get }
    /// The links with which people set their password.
    var links: any PasswordLinkStore { get }
    /// Identity providers, and the consumers who sign in with them.
    var identities: any ConsumerIdentityStore { get }
    /// The second factors of people.
    var secondFactors: any SecondFactorStore { get }
    /// The keys of programs.
    var apiKeys: any APIKeyStore { get }
    /// The profiles and groups of brands.
    var profiles: any ProfileStore { get }
    /// Retention periods, legal holds and removals.
    var retention: any RetentionStore { get }
}

/// A listener for everything that live connections have to know of.
public typealias LiveListener = CommitListener & ContactCentreListener & RoutingListener & SessionListener
    & SettingsListener

/// All services of the core, built and connected. The server and the tests both use it, so that no connection between
/// two services can be forgotten.
public struct CoreServices: Sendable {
    /// The adapters that the services work with.
    public struct Adapters: Sendable {
        /// The conversation log.
        public let log: any ConversationStore
        /// The rows of accounts.
        public let accounts: any AccountData
        /// The rows of contact centres.
        public let contactCentre: any ContactCentreData
        /// The links with which people set their password.
        public let links: any PasswordLinkStore
        /// Identity providers, and the consumers who sign in with them.
        public let identities: any ConsumerIdentityStore
        /// The second factors of people.
        public let secondFactors: any SecondFactorStore
        /// The keys of programs.
        public let apiKeys: any APIKeyStore
        /// The profiles and groups of brands.
        public let profiles: any ProfileStore
        /// The files of recordings.
        public let recordings: any RecordingFiles & RecordingUploads
        /// Retention periods, legal holds and receipts.
        public let retention: any RetentionStore

        /// Takes the adapters of one database.
        public init(_ storage: some StorageAdapter, recordings: any RecordingFiles & RecordingUploads) {
            self.init(
                log: storage.log, accounts: storage.accounts, contactCentre: storage.contactCentre,
                links: storage.links, identities: storage.identities, secondFactors: storage.secondFactors,
                apiKeys: storage.apiKeys, profiles: storage.profiles, recordings: recordings,
                retention: storage.retention)
        }

        /// Creates the adapters from one part each.
        public init(
            log: any ConversationStore, accounts: any AccountData, contactCentre: any ContactCentreData,
            links: any PasswordLinkStore, identities: any ConsumerIdentityStore,
            secondFactors: any SecondFactorStore, apiKeys: any APIKeyStore, profiles: any ProfileStore,
            recordings: any RecordingFiles & RecordingUploads,
            retention: any RetentionStore
        ) {
            self.log = log
            self.accounts = accounts
            self.contactCentre = contactCentre
            self.links = links
            self.identities = identities
            self.secondFactors = secondFactors
            self.apiKeys = apiKeys
            self.profiles = profiles
            self.recordings = recordings
            self.retention = retention
        }
    }

    /// Opens conversations for callers.
    public let access: ConversationAccess
    /// Makes, checks and revokes the keys of programs.
    public let apiKeys: APIKeyService
    /// Reads the audit log.
    public let audit: AuditService
    /// Manages brands and their apps.
    public let brand: BrandService
    /// Manages the contact-centre settings.
    public let contactCentre: ContactCentreService
    /// Connects the devices of calls.
    public let calls: CallService
    /// Makes evidence bundles of conversations.
    public let evidence: EvidenceService
    /// Performs commands in conversations.
    public let conversations: ConversationService
    /// Reads conversations for programs.
    public let history: HistoryService
    /// Authenticates callers.
    public let identity: IdentityService
    /// Manages recordings.
    public let media: MediaService
    /// Manages retention, legal holds and requests to erase.
    public let privacy: PrivacyService
    /// Removes conversations whose time has passed, and consumers who asked to be erased.
    public let retention: RetentionService
    /// Distributes conversations among agents.
    public let routing: RoutingService
    /// Searches conversations.
    public let search: SearchService
    /// Manages account settings.
    public let settings: SettingsService
    /// Makes transcripts of conversations.
    public let transcripts: TranscriptService
    private let commits: CommitListeners

    /// What an operator may choose.
    public struct Options: Sendable {
        /// How many bytes of recordings the server takes and keeps.
        public let uploadLimits: UploadLimits
        /// The servers that help the devices of a call connect.
        public let relay: CallRelay

        /// Makes the value.
        public init(uploadLimits: UploadLimits = UploadLimits(), relay: CallRelay = .none) {
            (self.uploadLimits, self.relay) = (uploadLimits, relay)
        }
    }

    /// Builds the services and connects them with each other.
    /// - Parameters:
    ///   - keys: the keys that sign consumers' tokens.
    ///   - signer: signs the documents that leave the server.
    public init(
        _ adapters: Adapters, environment: SystemEnvironment, keys: KeyRing, signer: DocumentSigner,
        options: Options = Options()
    ) {
        let (log, accounts) = (adapters.log, adapters.accounts)
        access = ConversationAccess(conversations: log)
        audit = AuditService(audit: accounts, environment: environment)
        brand = BrandService(accounts: accounts, environment: environment)
        contactCentre = ContactCentreService(
            store: adapters.contactCentre, people: accounts, environment: environment)
        identity = IdentityService(
            .init(
                accounts: accounts, links: adapters.links, identities: adapters.identities,
                secondFactors: adapters.secondFactors, profiles: adapters.profiles, centres: contactCentre),
            environment: environment, keys: keys,
            clock: ServerClock(records: adapters.retention, environment: environment))
        apiKeys = APIKeyService(keys: adapters.apiKeys, suspended: identity.suspended, environment: environment)
        settings = SettingsService(accounts: accounts, environment: environment)
        privacy = PrivacyService(
            records: adapters.retention,
            consumers: ConsumerLookup(consumers: accounts, identities: adapters.identities), environment: environment)
        retention = RetentionService(
            .init(
                store: adapters.retention, files: .init(adapters.recordings), log: log, accounts: accounts,
                sessions: identity.sessions), environment: environment, signer: signer)
        search = SearchService(store: adapters.contactCentre, agents: accounts)
        routing = RoutingService(
            store: log, source: adapters.contactCentre,
            people: .init(accounts: accounts, profiles: adapters.profiles), centres: contactCentre,
            environment: environment)
        media = MediaService(
            .init(files: adapters.recordings, recordings: accounts, log: log), settings: settings,
            limits: options.uploadLimits, environment: environment)
        conversations = ConversationService(
            log: log, recordings: accounts, settings: settings, routing: routing, environment: environment)
        calls = CallService(
            log: log, routing: routing, settings: settings, environment: environment, relay: options.relay)
        transcripts = TranscriptService(
            access: access, .init(conversations: log, accounts: accounts, centre: contactCentre), audit: audit,
            environment: environment)
        history = HistoryService(
            access: access, conversations: log, .init(search: search, transcripts: transcripts, centre: contactCentre),
            audit: audit)
        evidence = EvidenceService(
            access: access, exports: .init(transcripts: transcripts, media: media), accounts: accounts, signer: signer,
            environment: environment)
        commits = CommitListeners(routing: routing)
        log.connect(commits)
        contactCentre.connect(routing)
        identity.connect(routing)
    }

    /// Connects live connections with the services. Called once, before the first change.
    public func connect(_ listener: any LiveListener) {
        commits.connect(listener)
        contactCentre.connect(listener)
        routing.connect(listener)
        settings.connect(listener)
        identity.connect(listener)
    }
}
