/// What a scanner has shown by finding our canaries, just now.
public struct ScannerProof: Hashable, Sendable {
    /// Containers into which it looks.
    public let proven: Set<String>
    /// Containers whose canary it did not find.
    public let missed: Set<String>
    /// What it said to a stream as large as a recording may be, where that was not our signature; `nil`: it found it, or was not asked.
    public let largeFault: String?
    /// Why there is no answer at all.
    public let silence: String?

    public static let containers = Set(Canary.all().map(\.container))

    init(answers: [(container: String, reply: ScanReply)], large: ScanReply?) {
        let missed = Set(answers.filter { !Canary.isFound($0.reply) }.map(\.container))
        self.missed = missed
        proven = Self.containers.intersection(answers.map(\.container)).subtracting(missed)
        largeFault = large.flatMap { Canary.isFound($0) ? nil : $0.text }
        silence =
            (answers.map(\.reply) + [large].compactMap { $0 }).compactMap {
                if case .silent(let why) = $0 { why } else { nil }
            }.first
    }

    public var health: ScannerHealth {
        if let silence { return .silent(silence) }
        // One that finds our signature nowhere does not know it: about large streams that says nothing.
        if let largeFault, !proven.isEmpty { return .shortSighted(largeFault) }
        return missed.isEmpty ? .good : .blind(missed)
    }
}

/// How much of what comes the scanner can be believed about.
public enum ScannerHealth: Hashable, Sendable {
    /// Not asked yet.
    case unknown
    case good
    /// It does not look into these containers: recordings in them wait.
    case blind(Set<String>)
    /// It does not look into streams as large as a recording may be: everything waits.
    case shortSighted(String)
    /// No answer: everything waits.
    case silent(String)

    /// One word, for whoever watches Earshot.
    public var word: String {
        switch self {
        case .unknown: "starting"
        case .good: "ok"
        case .blind, .shortSighted: "unproven"
        case .silent: "down"
        }
    }

    /// Whether recordings in this container are believed to be scanned. 3GP is MP4 with another brand, and is told as MP4.
    func sees(_ container: String) -> Bool {
        switch self {
        case .good: ScannerProof.containers.contains(container)
        case .blind(let missed):
            ScannerProof.containers.contains(container)
                && missed.isDisjoint(with: container == "mp4" ? ["mp4", "3gp"] : [container])
        case .unknown, .shortSighted, .silent: false
        }
    }

    var isAnswering: Bool {
        switch self {
        case .good, .blind: true
        case .unknown, .shortSighted, .silent: false
        }
    }

    /// The same trouble, whatever its words.
    func isLike(_ other: ScannerHealth) -> Bool {
        switch (self, other) {
        case (.silent, .silent), (.shortSighted, .shortSighted): true
        default: self == other
        }
    }
}

extension ScanReply {
    /// For logs and for the doctor.
    var text: String {
        switch self {
        case .clean: "stream: OK"
        case .found(let name): "found \(name)"
        case .refused(let text), .silent(let text): text
        }
    }
}
