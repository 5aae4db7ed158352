public import EarshotModel

/// A failure outside of Earshot's own rules: a disk, a process, a database or a peer failed.
///
/// It is never the sender's fault, and its details are for the log, not for clients.
public struct AdapterFailure: Error, Sendable, CustomStringConvertible {
    /// What failed, for the log. Never contains what a consumer wrote.
    public let what: String
    /// Whether the same request may succeed later.
    public let isRetryable: Bool
    /// What kind of failure it is, as far as clients may know.
    public let kind: Kind

    /// The kinds of failure that clients can tell apart.
    public enum Kind: Sendable {
        /// Something does not answer, or does not work at the moment.
        case unavailable
        /// The disk has no space.
        case full
        /// What is stored cannot be read.
        case damaged
    }

    /// Creates a failure with its description for the log.
    public init(_ what: String, isRetryable: Bool, kind: Kind = .unavailable) {
        self.what = what
        self.isRetryable = isRetryable
        self.kind = kind
    }

    /// What failed, for the log.
    public var description: String { what }

    /// The answer to the client whose request it failed.
    public var rejection: Rejection {
        switch kind {
        case .unavailable: .unavailable
        case .full: .diskFull
        case .damaged: .damaged
        }
    }
}
