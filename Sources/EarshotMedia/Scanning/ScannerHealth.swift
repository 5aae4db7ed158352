import EarshotCore

/// The result of a scanner's self-test with canaries.
public struct ScannerSelfTest: Hashable, Sendable {
    /// The containers into which the scanner looks.
    public let verified: Set<String>
    /// The containers whose canary it did not find.
    public let missed: Set<String>
    /// Its answer to a stream as large as a recording may be, if it missed the canary there; `nil` if it found it or
    /// was not asked.
    public let largeStreamFault: String?
    /// Why it did not answer; `nil` if it did.
    public let noAnswer: String?

    /// All containers that are tested.
    public static let containers = Set(Canary.all().map(\.container))

    init(answers: [(container: String, reply: ScanReply)], large: ScanReply?) {
        let missed = Set(answers.filter { !Canary.isFound($0.reply) }.map(\.container))
        self.missed = missed
        verified = Self.containers.intersection(answers.map(\.container)).subtracting(missed)
        largeStreamFault = large.flatMap { Canary.isFound($0) ? nil : $0.text }
        noAnswer =
            (answers.map(\.reply) + [large].compactMap { $0 }).compactMap {
                if case .unreachable(let reason) = $0 { reason } else { nil }
            }.first
    }

    /// What the result means for recordings.
    public var health: ScannerHealth {
        if let noAnswer { return .unreachable(noAnswer) }
        // A scanner that finds the canary in no container does not know its signature: that says nothing about large
        // streams.
        if let largeStreamFault, !verified.isEmpty { return .missesLargeStreams(largeStreamFault) }
        return missed.isEmpty ? .good : .missesContainers(missed)
    }
}

/// Which of the scanner's answers can be trusted.
public enum ScannerHealth: Hashable, Sendable {
    /// It was not tested yet.
    case unknown
    /// It finds the canary in every container and in the largest stream.
    case good
    /// It does not look into these containers: recordings in them wait.
    case missesContainers(Set<String>)
    /// It does not look into streams as large as a recording may be: all recordings wait. With its answer.
    case missesLargeStreams(String)
    /// It does not answer: all recordings wait. With the reason.
    case unreachable(String)

    /// The state in one word, for monitoring.
    enum Word: String, MetricLabel {
        case starting
        case working = "ok"
        /// It answers, but its self-test misses something.
        case unproven
        case down
    }

    /// The state in one word.
    var word: Word {
        switch self {
        case .unknown: .starting
        case .good: .working
        case .missesContainers, .missesLargeStreams: .unproven
        case .unreachable: .down
        }
    }

    /// Whether its answer for a recording in this container can be trusted. 3GP is MP4 with another brand, and counts
    /// as MP4.
    func covers(_ container: String) -> Bool {
        switch self {
        case .good: ScannerSelfTest.containers.contains(container)
        case .missesContainers(let missed):
            ScannerSelfTest.containers.contains(container)
                && missed.isDisjoint(with: container == "mp4" ? ["mp4", "3gp"] : [container])
        case .unknown, .missesLargeStreams, .unreachable: false
        }
    }

    /// Whether it is worth asking about recordings.
    var isAnswering: Bool {
        switch self {
        case .good, .missesContainers: true
        case .unknown, .missesLargeStreams, .unreachable: false
        }
    }

    /// Whether it is the same condition, whatever the reason says.
    func isSameCondition(as other: ScannerHealth) -> Bool {
        switch (self, other) {
        case (.unreachable, .unreachable), (.missesLargeStreams, .missesLargeStreams): true
        default: self == other
        }
    }
}
