import EarshotCore

/// Why the server cannot start, or had to end: a sentence for the operator, and an exit code for the supervisor.
public struct ServerFailure: Error, CustomStringConvertible, Equatable {
    /// The exit codes, from sysexits.h where it has one that fits. docs/operating.md says what each is for.
    public enum Code: Int32, Sendable {
        /// The pages or the media worker are not where the configuration says, nor beside the program.
        case missingFiles = 64
        /// What is stored cannot be used. Starting again does not help.
        case unusableData = 65
        /// The disk failed, is full or is read-only. Starting again may help.
        case diskFailed = 74
        /// Another process uses the data folder.
        case folderInUse = 75
        /// The permissions of the data folder do not protect it, and cannot be changed.
        case unprotectedFolder = 77
    }

    /// What the process exits with.
    public let code: Code
    /// What happened, and what to do.
    public let description: String

    /// Creates a failure.
    public init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}

extension ServerFailure {
    /// What cannot be read, as a sentence.
    init(_ failure: AdapterFailure) {
        let what = failure.what.prefix(1).uppercased() + failure.what.dropFirst()
        self.init(failure.isRetryable ? .diskFailed : .unusableData, what.hasSuffix(".") ? what : what + ".")
    }
}
