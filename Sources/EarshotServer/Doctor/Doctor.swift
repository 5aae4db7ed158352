/// One thing that the doctor looked at.
public struct Finding: Sendable, Equatable {
    public enum Health: String, Sendable {
        case good = "ok"
        case doubtful = "look"
        case bad = "BAD"
    }

    public let subject: String
    public let health: Health
    public let text: String
    /// What to do about it.
    public let remedy: String?

    public init(_ subject: String, _ health: Health, _ text: String, remedy: String? = nil) {
        self.subject = subject
        self.health = health
        self.text = text
        self.remedy = remedy
    }

    public var line: String {
        let label = "[\(health.rawValue)]".padded(to: 7) + subject.padded(to: 10) + text
        return remedy.map { label + "\n" + String(repeating: " ", count: 17) + "→ " + $0 } ?? label
    }
}

/// Looks at everything that Earshot needs from its machine, and says how to mend what it finds.
public struct Doctor: Sendable {
    let configuration: ServerConfiguration

    public init(_ configuration: ServerConfiguration) {
        self.configuration = configuration
    }

    /// Everything, in the order in which one would mend it.
    public func examine() async -> [Finding] {
        var findings = [port(), disk()]
        findings.append(await codecs())
        findings.append(await scanner())
        findings += address()
        findings.append(clock())
        findings.append(pages())
        return findings
    }
}

extension String {
    func padded(to width: Int) -> String {
        count >= width ? self + " " : self + String(repeating: " ", count: width - count)
    }
}
