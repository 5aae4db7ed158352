import EarshotCore
import EarshotModel

/// Holds those who read a profile while it is closed.
actor ProfileGate {
    private var isClosed = false
    private var held: [CheckedContinuation<Void, Never>] = []
    private var watchers: [CheckedContinuation<Void, Never>] = []

    func close() { isClosed = true }

    func open() {
        isClosed = false
        for continuation in held { continuation.resume() }
        held = []
    }

    func pass() async {
        guard isClosed else { return }
        for watcher in watchers { watcher.resume() }
        watchers = []
        await withCheckedContinuation { held.append($0) }
    }

    /// Returns once someone waits at the gate.
    func untilSomeoneWaits() async {
        guard held.isEmpty else { return }
        await withCheckedContinuation { watchers.append($0) }
    }
}

/// Stored profiles behind a gate.
struct GatedProfiles: ProfileStore {
    let stored: any ProfileStore
    let gate: ProfileGate

    func profile(_ id: ProfileID, of account: AccountID) async throws(AdapterFailure) -> Profile? {
        await gate.pass()
        return try await stored.profile(id, of: account)
    }

    func profiles(of account: AccountID) async throws(AdapterFailure) -> [Profile] {
        try await stored.profiles(of: account)
    }

    func save(_ profile: Profile, isNew: Bool, atMost limit: Int, audit: AuditEntry) async throws(AdapterFailure)
        -> Bool
    {
        try await stored.save(profile, isNew: isNew, atMost: limit, audit: audit)
    }

    func removeProfile(_ id: ProfileID, of account: AccountID, audit: AuditEntry) async throws(AdapterFailure)
        -> ProfileRemoval
    {
        try await stored.removeProfile(id, of: account, audit: audit)
    }

    func groups(of account: AccountID) async throws(AdapterFailure) -> [PeopleGroup] {
        try await stored.groups(of: account)
    }

    func save(_ group: PeopleGroup, isNew: Bool, atMost limit: Int, audit: AuditEntry) async throws(AdapterFailure)
        -> Bool
    {
        try await stored.save(group, isNew: isNew, atMost: limit, audit: audit)
    }

    func removeGroup(_ id: GroupID, of account: AccountID, audit: AuditEntry) async throws(AdapterFailure) -> Bool {
        try await stored.removeGroup(id, of: account, audit: audit)
    }
}
