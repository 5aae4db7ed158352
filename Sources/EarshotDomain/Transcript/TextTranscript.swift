import EarshotModel

/// A transcript as plain text: a head, and a line for each entry. Further lines of a message are indented, so that no
/// message can look like a line of another person.
struct TextTranscript: TranscriptWriter {
    /// What every transcript shows for a recording.
    static let audioLabel = "[audio message]"
    private static let indent = "\n    "

    private let head: TranscriptHead

    init(_ head: TranscriptHead) {
        self.head = head
    }

    var beginning: String {
        head.rows.map { "\($0.label): \(Self.oneLine($0.text))\n" }.joined() + "\n"
    }

    let ending = ""

    func text(of entry: TranscriptEntry, isFirst: Bool) -> String {
        let time = Zone.iso8601(entry.at, in: head.zone).replacing("T", with: " ", maxReplacements: 1)
        let name = Self.oneLine(entry.author.name ?? "Earshot")
        let role = entry.author.role.map { " (\($0.rawValue))" } ?? ""
        return switch entry.content {
        case .text(let text): "\(time) \(name)\(role): \(Self.indented(text))\n"
        case .audio(let audio): "\(time) \(name)\(role): \(Self.line(audio))\n"
        case .note(let text, let audio):
            "\(time) \(name)\(role), private note: "
                + [text.map(Self.indented), audio.map(Self.line)].compactMap(\.self).joined(separator: " ") + "\n"
        case .event(let sentence, _, _): "\(time) * \(Self.indented(sentence))\n"
        }
    }

    /// A length as minutes and seconds, `1:07`, rounded up as players show it.
    static func length(_ milliseconds: Int) -> String {
        let seconds = (milliseconds + 999) / 1000
        return "\(seconds / 60):\(seconds % 60 < 10 ? "0" : "")\(seconds % 60)"
    }

    /// A recording: what it is, its length, and whether it was listened to.
    static func line(_ audio: TranscriptEntry.Audio) -> String { line(audio, label: audioLabel) }

    /// A recording under another label: on a page, the words that people use.
    static func line(_ audio: TranscriptEntry.Audio, label: String) -> String {
        let listened = audio.isListened.map { $0 ? ", listened" : ", not listened" } ?? ""
        return "\(label) \(length(audio.durationMs))\(listened)"
    }

    private static func indented(_ text: String) -> String {
        lines(text).joined(separator: indent)
    }

    private static func oneLine(_ text: String) -> String {
        lines(text).joined(separator: " ")
    }

    /// The lines of a text. Other control characters become U+FFFD, and so do those that turn the direction of all
    /// that follows.
    private static func lines(_ text: String) -> [String] {
        var (lines, line, last) = ([String](), String.UnicodeScalarView(), Unicode.Scalar(0))
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n" where last == "\r": break
            case "\n", "\r", "\u{85}", "\u{2028}", "\u{2029}", "\u{B}", "\u{C}":
                lines.append(String(line))
                line = String.UnicodeScalarView()
            case "\t": line.append(scalar)
            case "\u{202D}", "\u{202E}": line.append("\u{FFFD}")
            case _ where scalar.properties.generalCategory == .control: line.append("\u{FFFD}")
            default: line.append(scalar)
            }
            last = scalar
        }
        return lines + [String(line)]
    }
}
