/// The walls around a media worker that is ready. A host may refuse some: containers and services without the right to
/// make namespaces do.
public struct Confinement: OptionSet, Hashable, Sendable {
    /// The bits, as CSandbox.h names them.
    public let rawValue: UInt16

    /// The walls with these bits.
    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// Every wall that a host can refuse and that keeps something out. A user namespace is only the way to the others.
    public static let namespaces = Confinement(rawValue: 0b1_1111_1000)

    private static let names = [
        "seccomp", "no-new-privileges", "user namespace", "network namespace", "ipc namespace", "uts namespace",
        "mount namespace", "pid namespace", "empty root",
    ]

    /// The names of the walls that stand.
    public var words: [String] {
        Self.names.enumerated().filter { contains(Confinement(rawValue: 1 << $0.offset)) }.map(\.element)
    }

    /// The walls that the host refused.
    public var missing: Confinement { Confinement.namespaces.subtracting(self) }
}

/// Why a worker could not enter its sandbox.
public struct ConfinementFailure: Error, Hashable, Sendable {
    /// The step that failed, as CSandbox.h numbers them.
    public let step: UInt8
    /// What the system answered.
    public let errno: UInt32

    /// A failure of a step.
    public init(step: UInt8, errno: UInt32) {
        self.step = step
        self.errno = errno
    }

    private static let steps = [
        "?", "closing descriptors", "setting limits", "changing the user", "dropping capabilities (capset)",
        "following the server", "loading the filter (seccomp)",
    ]

    /// The step in words.
    public var name: String { Self.steps.indices.contains(Int(step)) ? Self.steps[Int(step)] : "?" }
}
