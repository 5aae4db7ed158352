/// A failure outside of Earshot's own rules: a disk, a process, a database or a peer failed.
///
/// It is never the sender's fault, and its details are for the log, not for clients.
public struct AdapterFailure: Error, Sendable, CustomStringConvertible {
    /// What failed, for the log. Never contains what a consumer wrote.
    public let what: String
    /// Whether the same request may succeed later.
    public let isRetryable: Bool

    /// Creates a failure with its description for the log.
    public init(_ what: String, isRetryable: Bool) {
        self.what = what
        self.isRetryable = isRetryable
    }

    /// What failed, for the log.
    public var description: String { what }
}
