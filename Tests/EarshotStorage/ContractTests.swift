import EarshotStorage
import EarshotTestKit
import Testing

@Suite struct `SQLite keeps the contract` {
    @Test(arguments: ConversationStoreContract<TemporaryDatabase>.checks)
    func `of the log`(_ check: ContractCheck<TemporaryDatabase>) async throws {
        try await check.run(try TemporaryDatabase())
    }

    /// With next to no memory everything is read from the disk, and must be the same.
    @Test(
        arguments: ConversationStoreContract<TemporaryDatabase>.checks.filter {
            !$0.description.hasPrefix("A tail is all") && !$0.description.hasPrefix("An event is in the tail")
        })
    func `of the log without memory`(_ check: ContractCheck<TemporaryDatabase>) async throws {
        var options = SQLiteStore.Options()
        options.tailBytes = 1
        try await check.run(try TemporaryDatabase(options: options))
    }

    @Test(arguments: AccountStoreContract<TemporaryDatabase>.checks)
    func `of the rows`(_ check: ContractCheck<TemporaryDatabase>) async throws {
        try await check.run(try TemporaryDatabase())
    }

    @Test(arguments: ContactCentreStoreContract<TemporaryDatabase>.checks)
    func `of the contact centre`(_ check: ContractCheck<TemporaryDatabase>) async throws {
        try await check.run(try TemporaryDatabase())
    }
}
