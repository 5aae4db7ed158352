import EarshotCore

/// The checks of one subject of `ConversationStoreContract`.
protocol ConversationContractSuite {
    /// The database that the checks open.
    associatedtype Subject: StoreUnderTest

    /// All checks of the suite.
    static var checks: [ContractCheck<Subject>] { get }
}

extension ConversationContractSuite {
    /// A check of this suite.
    typealias Check = ContractCheck<Subject>

    /// A check that opens the store once.
    static func check(_ promise: String, _ body: @escaping @Sendable (StoreProbe) async throws -> Void) -> Check {
        Check(promise) { subject in
            let store = try await subject.open()
            do {
                try await body(StoreProbe(store))
            } catch {
                try? await subject.close(store)
                throw error
            }
            try await subject.close(store)
        }
    }

    /// A check that closes the store in the middle and opens it again.
    static func check<T: Sendable>(
        _ promise: String, before: @escaping @Sendable (StoreProbe) async throws -> T,
        afterReopening: @escaping @Sendable (StoreProbe, T) async throws -> Void
    ) -> Check {
        Check(promise) { subject in
            let first = try await subject.open()
            let result = Result<T, any Error>.success
            let kept: Result<T, any Error>
            do { kept = result(try await before(StoreProbe(first))) } catch { kept = .failure(error) }
            try await subject.close(first)
            let second = try await subject.open()
            let outcome: Result<Void, any Error>
            do { outcome = .success(try await afterReopening(StoreProbe(second), try kept.get())) } catch {
                outcome = .failure(error)
            }
            try await subject.close(second)
            try outcome.get()
        }
    }
}
