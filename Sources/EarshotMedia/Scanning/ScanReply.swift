/// What clamd said of a stream. Only the literal `stream: OK` is clean; whatever cannot be understood is not.
enum ScanReply: Hashable, Sendable {
    case clean
    /// The name of a signature that was found.
    case found(String)
    /// It answered, but neither that it is clean nor what was found: over one of its limits, for one. Trying again changes little.
    case refused(String)
    /// No answer: not reachable, too slow, or the connection broke off.
    case silent(String)

    /// The longest answer that is taken. clamd's own are far shorter.
    static let limitBytes = 1024
    private static let nameCharacters = 128

    /// `line`: one answer, without the NUL at its end.
    init(_ line: some Collection<UInt8>) {
        let text = String(decoding: line.prefix(Self.limitBytes), as: UTF8.self)
        if text == "stream: OK" {
            self = .clean
        } else if text.hasPrefix("stream: "), text.hasSuffix(" FOUND") {
            let name = Self.printable(text.dropFirst("stream: ".count).dropLast(" FOUND".count))
            // Not something harmful, but something that was not looked into.
            self = name.hasPrefix("Heuristics.Limits.Exceeded") ? .refused(name) : .found(name)
        } else {
            self = .refused(Self.printable(text[...]))
        }
    }

    /// Two answers to the same bytes: a hit in one is a hit, and clean is only what both found clean.
    func joined(_ other: ScanReply) -> ScanReply {
        switch (self, other) {
        case (.found, _): self
        case (_, .found): other
        case (.silent, _): self
        case (_, .silent): other
        case (.refused, _): self
        default: other
        }
    }

    /// Goes into logs and the audit: nothing that could look like another line.
    private static func printable(_ text: Substring) -> String {
        String(
            text.unicodeScalars.prefix(nameCharacters).map { (0x20...0x7e).contains($0.value) ? Character($0) : "?" })
    }
}
