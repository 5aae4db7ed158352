public import EarshotModel

/// The settings of accounts.
public protocol SettingsStore: Sendable {
    /// Reads an account's settings; `nil` if none were ever changed.
    func settings(of account: AccountID) async throws(AdapterFailure) -> AccountSettings?

    /// Changes settings, raises their version and writes the audit entry, in one transaction.
    func change(_ change: SettingsChange) async throws(AdapterFailure) -> AccountSettings

    /// A number that rises whenever the settings of any account change, in this process or in another.
    func settingsStamp() async throws(AdapterFailure) -> Int64

    /// Reads the version of every account whose settings were ever changed.
    func settingsVersions() async throws(AdapterFailure) -> [AccountID: Int]
}

/// A listener for changes of an account's settings.
public protocol SettingsListener: Sendable {
    /// Called after settings changed. Must not block.
    func changed(_ settings: AccountSettings, of account: AccountID)
}
