/// Something outside of Earshot's rules failed: a disk, a process, a database. Not the sender's fault, and not to be shown to anyone in detail.
public struct AdapterFailure: Error, Sendable, CustomStringConvertible {
    /// What failed, for the log. Never a consumer's words.
    public let what: String
    /// Whether the same request may work later.
    public let isRetryable: Bool

    public init(_ what: String, isRetryable: Bool) {
        self.what = what
        self.isRetryable = isRetryable
    }

    public var description: String { what }
}
