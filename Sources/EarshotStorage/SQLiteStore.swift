public import EarshotCore

/// Stores everything in one SQLite database. Its properties are the storage ports of the core.
///
/// One thread writes, in transactions that carry all queued changes; every commit is flushed to disk before anyone is
/// notified. Reads use the tail cache if it has the answer, otherwise connections of their own, for which the writer
/// never waits.
public final class SQLiteStore: StorageAdapter {
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
    /// What only an operator's commands do with brands and apps.
    public let installation: any InstallationStore
    /// How long conversations are kept, and their removal.
    public let retention: any RetentionStore
    /// The secrets that earlier versions kept in the database.
    public let secrets: SecretTable
    /// The change of the master key.
    public let keyRotation: KeyRotation
    /// How the disk serves this store.
    public let health: StorageHealth
    /// What the store reports to a monitoring system.
    public let metrics: [any Metric]
    /// The master keys, which also encrypt what is kept beside the database.
    public var masterKeys: MasterKeys { database.contentKeys.masters }
    let database: OpenDatabase
    private let writer: Writer

    /// Opens the database at `path`, or creates it with a new epoch. Folder and file are readable by their owner only.
    /// - Parameter keys: where the master keys are kept that encrypt what people write.
    public init(path: String, keys: any MasterKeySource, options: Options = Options()) throws(AdapterFailure) {
        let reserve = DiskReserve(database: path)
        database = try OpenDatabase.open(path: path, options: options, reserve: reserve, makeEpoch: Schema.makeEpoch)
        try database.unlock(keys, path: path)
        let tails = TailCache(bounds: TailCache.Bounds(bytesInTotal: options.tailBytes))
        let (reads, damaged) = (PendingReads(), DamagedRows())
        writer = Writer(database, tails: tails, reserve: reserve, damaged: damaged)
        health = StorageHealth(writer, reads, reserve, damaged, deadline: options.deadlineSeconds)
        let rows = RowAccess(database, writer, pending: reads, damaged: damaged)
        log = ConversationTables(rows, writer, tails: tails, epoch: database.epoch)
        accounts = AccountTables(rows)
        contactCentre = ContactCentreTables(rows, database, searchTimeLimit: options.searchTimeLimit)
        links = PasswordLinkTable(rows)
        identities = ConsumerIdentityTable(rows)
        secondFactors = SecondFactorTable(rows)
        apiKeys = APIKeyTable(rows)
        profiles = ProfileTable(rows)
        installation = InstallationTable(rows)
        secrets = SecretTable(rows)
        retention = RetentionTables(rows, writer, path: path)
        keyRotation = KeyRotation(rows, writer)
        metrics = writer.allMetrics + DatabaseFiles(path: path).metrics
        writer.start()
    }

    /// Writes the queued changes, then closes the database. Blocks until that is done; later changes fail. Call once.
    ///
    /// After a failure of the disk the connections stay open: SQLite would checkpoint as it closes the last one, and a
    /// flush after a failed flush proves nothing. The next start reads the log from the disk.
    public func close() throws(AdapterFailure) {
        let hasEnded = writer.close()
        health.close()
        guard hasEnded, writer.brokenBy == nil else {
            database.abandon()
            throw writer.brokenBy ?? .late
        }
        do { try database.close() } catch { throw .of(error) }
    }
}
