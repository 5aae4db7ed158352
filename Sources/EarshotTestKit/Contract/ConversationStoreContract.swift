import EarshotCore
import EarshotDomain
import EarshotModel

/// What every adapter of `ConversationStore` promises. Run each check with a database of its own.
public enum ConversationStoreContract<Subject: StoreUnderTest> {
    /// A check of this suite.
    public typealias Check = ContractCheck<Subject>

    /// All checks of the suite.
    public static var checks: [Check] {
        logChecks + keyChecks + batchChecks + feedChecks + markChecks + playedChecks + scanChecks + readChecks
            + lifeChecks
    }

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

/// Decoded again, to be compared with what was meant.
extension StoredEvent {
    func isStored(of event: Event) -> Bool {
        sequence == event.sequence && encoded == event.wireBytes
            && isSameForAll == (event.visible(to: .consumer) == .same)
    }
}
