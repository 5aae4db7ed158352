/// What clamd said of a stream. Only the literal `stream: OK` is clean; an answer that cannot be understood is not.
enum ScanReply: Hashable, Sendable {
    case clean
    /// A signature was found: its name.
    case infected(String)
    /// It answered neither clean nor infected, for example because a limit was exceeded. Trying again seldom helps.
    case inconclusive(String)
    /// No answer: not reachable, too slow, or the connection broke off. With the reason.
    case unreachable(String)

    /// The longest answer that is accepted. clamd's own are far shorter.
    static let maxBytes = 1024
    private static let nameCharacters = 128

    /// Reads one answer, without the NUL at its end.
    init(_ line: some Collection<UInt8>) {
        let text = String(decoding: line.prefix(Self.maxBytes), as: UTF8.self)
        if text == "stream: OK" {
            self = .clean
        } else if text.hasPrefix("stream: "), text.hasSuffix(" FOUND") {
            let name = Self.printable(text.dropFirst("stream: ".count).dropLast(" FOUND".count))
            // Nothing harmful was found: a part was not looked into.
            self = name.hasPrefix("Heuristics.Limits.Exceeded") ? .inconclusive(name) : .infected(name)
        } else {
            self = .inconclusive(Self.printable(text[...]))
        }
    }

    /// Combines two answers for the same bytes: infected if either is, clean only if both are.
    func combined(with other: ScanReply) -> ScanReply {
        switch (self, other) {
        case (.infected, _): self
        case (_, .infected): other
        case (.unreachable, _): self
        case (_, .unreachable): other
        case (.inconclusive, _): self
        default: other
        }
    }

    /// The answer for logs and for the doctor.
    var text: String {
        switch self {
        case .clean: "stream: OK"
        case .infected(let name): "found \(name)"
        case .inconclusive(let text), .unreachable(let text): text
        }
    }

    /// Makes text safe for logs and the audit: no control characters that could look like another line.
    private static func printable(_ text: Substring) -> String {
        String(
            text.unicodeScalars.prefix(nameCharacters).map { (0x20...0x7e).contains($0.value) ? Character($0) : "?" })
    }
}
