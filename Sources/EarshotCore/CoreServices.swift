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
        /// The files of recordings.
        public let recordings: any RecordingFiles & RecordingUploads

        /// Takes the adapters of one database.
        public init(_ storage: some StorageAdapter, recordings: any RecordingFiles & RecordingUploads) {
            self.init(
                log: storage.log, accounts: storage.accounts, contactCentre: storage.contactCentre,
                recordings: recordings)
        }

        /// Creates the adapters from one part each.
        public init(
            log: any ConversationStore, accounts: any AccountData, contactCentre: any ContactCentreData,
            recordings: any RecordingFiles & RecordingUploads
        ) {
            self.log = log
            self.accounts = accounts
            self.contactCentre = contactCentre
            self.recordings = recordings
        }
    }

    /// Opens conversations for callers.
    public let access: ConversationAccess
    /// Reads the audit log.
    public let audit: AuditService
    /// Manages brands and their apps.
    public let brand: BrandService
    /// Manages the contact-centre settings.
    public let contactCentre: ContactCentreService
    /// Performs commands in conversations.
    public let conversations: ConversationService
    /// Authenticates callers.
    public let identity: IdentityService
    /// Manages recordings.
    public let media: MediaService
    /// Distributes conversations among agents.
    public let routing: RoutingService
    /// Searches conversations.
    public let search: SearchService
    /// Manages account settings.
    public let settings: SettingsService
    private let log: any ConversationStore

    /// Builds the services and connects them with each other.
    /// - Parameters:
    ///   - keys: the keys that sign consumers' tokens.
    ///   - uploadLimits: how many bytes of recordings the server takes and keeps.
    public init(
        _ adapters: Adapters, environment: SystemEnvironment, keys: KeyRing, uploadLimits: UploadLimits = UploadLimits()
    ) {
        let (log, accounts) = (adapters.log, adapters.accounts)
        self.log = log
        access = ConversationAccess(conversations: log)
        audit = AuditService(audit: accounts, environment: environment)
        brand = BrandService(accounts: accounts, environment: environment)
        identity = IdentityService(accounts: accounts, environment: environment, keys: keys)
        settings = SettingsService(accounts: accounts, environment: environment)
        contactCentre = ContactCentreService(
            store: adapters.contactCentre, people: accounts, environment: environment)
        search = SearchService(store: adapters.contactCentre, agents: accounts)
        routing = RoutingService(
            store: log, source: adapters.contactCentre, accounts: accounts, centres: contactCentre,
            environment: environment)
        media = MediaService(
            .init(files: adapters.recordings, recordings: accounts, log: log), settings: settings,
            limits: uploadLimits, environment: environment)
        conversations = ConversationService(
            log: log, recordings: accounts, settings: settings, routing: routing, environment: environment)
        log.connect(routing)
        contactCentre.connect(routing)
        identity.connect(routing)
    }

    /// Connects live connections with the services. Called once, before the first change.
    public func connect(_ listener: any LiveListener) {
        log.connect(CommitListeners([listener, routing]))
        contactCentre.connect(listener)
        routing.connect(listener)
        settings.connect(listener)
        identity.connect(listener)
    }
}
