/// The result of one check of the doctor.
public struct Finding: Sendable, Equatable {
    /// How good the result is. The raw value is printed.
    public enum Health: String, Sendable {
        /// No action is needed.
        case good = "ok"
        /// Works, but may cause problems.
        case warning = "look"
        /// Earshot does not work until this is fixed.
        case bad = "BAD"
    }

    /// What was checked.
    public let subject: String
    /// How good the result is.
    public let health: Health
    /// What was found.
    public let text: String
    /// What to do about it, if anything.
    public let remedy: String?

    /// Creates a result.
    public init(_ subject: String, _ health: Health, _ text: String, remedy: String? = nil) {
        self.subject = subject
        self.health = health
        self.text = text
        self.remedy = remedy
    }

    /// The result as it is printed.
    public var line: String {
        let label = "[\(health.rawValue)]".padded(to: 7) + subject.padded(to: 10) + text
        return remedy.map { label + "\n" + String(repeating: " ", count: 17) + "→ " + $0 } ?? label
    }
}

/// Checks everything that Earshot needs from its machine, and says how to fix problems.
public struct Doctor: Sendable {
    let configuration: ServerConfiguration
    /// A PEM file with a private certificate authority.
    let authority: String?

    /// Creates a doctor for an installation.
    /// - Parameter authority: a PEM file with a private certificate authority that browsers here trust.
    public init(_ configuration: ServerConfiguration, authority: String? = nil) {
        self.configuration = configuration
        self.authority = authority
    }

    /// Runs all checks, in the order in which problems should be fixed.
    public func diagnose() async -> [Finding] {
        let disks = disk()
        let token = DoctorToken(in: configuration.data)
        defer { token?.remove() }
        var running: RunningServer?
        if let token { running = await runningServer(token) }
        var findings =
            [running?.finding ?? port()] + disks + [running?.rows].compactMap(\.self) + [openFiles(), masterKey()]
        findings += await codecs()
        findings.append(await scanner())
        findings += await RelayCheck(relay: configuration.relay, authority: authority).findings()
        findings += address()
        findings.append(clock())
        findings.append(backup())
        findings.append(pages())
        if let token, running != nil {
            findings += await PublicAddressCheck(configuration: configuration, authority: authority).findings(token)
        }
        return findings
    }
}

extension String {
    func padded(to width: Int) -> String {
        count >= width ? self + " " : self + String(repeating: " ", count: width - count)
    }
}
