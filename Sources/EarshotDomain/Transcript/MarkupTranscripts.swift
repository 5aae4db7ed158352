public import EarshotModel

/// A transcript as XML 1.0.
struct XMLTranscript: TranscriptWriter {
    private let head: TranscriptHead

    init(_ head: TranscriptHead) {
        self.head = head
    }

    var beginning: String {
        let attributes = [
            ("id", head.conversation.id.rawValue), ("brand", head.brand), ("app", head.conversation.app.rawValue),
            ("channel", head.conversation.channel.rawValue), ("status", head.status.rawValue),
            ("through", String(head.through)), ("zone", head.zone), ("notes", String(head.hasNotes)),
            ("made", Zone.iso8601(head.made, in: head.zone)), ("madeFor", head.madeFor),
        ]
        let consumer: [(String, String?)] = [
            ("name", head.consumer.name), ("verified", head.verified), ("device", head.consumer.device),
            ("page", head.consumer.page),
            ("language", head.consumer.language), ("since", Zone.iso8601(head.consumer.since, in: head.zone)),
        ]
        let people = head.people.map { person in
            "    "
                + Markup.element(
                    "agent",
                    [("id", person.id?.rawValue), ("name", person.name), ("role", person.role.rawValue)]) + "\n"
        }
        return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<conversation\(Markup.attributes(attributes))>\n"
            + "  <participants>\n    \(Markup.element("consumer", consumer))\n\(people.joined())  </participants>\n"
            + "  <entries>\n"
    }

    let ending = "  </entries>\n</conversation>\n"

    func text(of entry: TranscriptEntry, isFirst: Bool) -> String {
        let common: [(String, String?)] = [
            ("seq", String(entry.sequence)), ("time", Zone.iso8601(entry.at, in: head.zone)),
            ("from", entry.author.name ?? "Earshot"), ("role", entry.author.role?.rawValue),
        ]
        let (name, attributes, text): (String, [(String, String?)], String?) =
            switch entry.content {
            case .text(let text): ("message", [("type", "text")], text)
            case .audio(let audio): ("message", [("type", "audio")] + Self.attributes(audio), TextTranscript.audioLabel)
            case .note(let text, let audio): ("note", audio.map(Self.attributes) ?? [], text)
            case .event(let sentence, let audio, let name):
                ("event", [("type", name)] + (audio.map(Self.attributes) ?? []), sentence)
            }
        return "    \(Markup.element(name, common + attributes, text))\n"
    }

    private static func attributes(_ audio: TranscriptEntry.Audio) -> [(String, String?)] {
        [
            ("durationMs", String(audio.durationMs)), ("listened", audio.isListened.map(String.init)),
            ("attachment", audio.media.rawValue),
        ]
    }
}

/// A transcript as a page to read and print. It has no script, and asks for nothing but the recordings next to it.
public struct HTMLTranscript: TranscriptWriter {
    /// Colours that also print well; dark where the reader's screen is.
    private static let style = """
        :root { color-scheme: light dark; }
        body { font: 16px/1.5 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem; }
        dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1rem; margin: 0 0 2rem; }
        dt, time, .role { color: light-dark(#55605c, #a3afaa); }
        dd { margin: 0; overflow-wrap: anywhere; }
        article { margin: 0 0 1rem; break-inside: avoid; }
        article p { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; }
        time { font-size: .85rem; }
        .note { border-inline-start: 3px solid #b7791f; padding-inline-start: .75rem; }
        .event { font-size: .9rem; color: light-dark(#55605c, #a3afaa); }
        audio { display: block; width: min(100%, 24rem); margin: .25rem 0; }
        a { color: inherit; }
        @media print { body { margin: 0; max-width: none; } audio { display: none; } }
        """

    private static let audioLabel = "Voice message"

    private let head: TranscriptHead
    private let recordings: [MediaID: [String]]

    /// Makes a writer.
    /// - Parameter recordings: the addresses of each recording's files, relative to the page; the first that ends in
    ///   `.mp3` is played. Without them the page has no players.
    public init(_ head: TranscriptHead, recordings: [MediaID: [String]] = [:]) {
        self.head = head
        self.recordings = recordings
    }

    /// The page's head, and what the transcript says about its conversation.
    public var beginning: String {
        let title = Markup.escaped("\(head.consumer.name) and \(head.brand)")
        let rows = head.rows.map { "<dt>\($0.label)</dt><dd dir=\"auto\">\(Markup.escaped($0.text))</dd>\n" }
        return "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
            + "<meta name=\"viewport\" content=\"width=device-width\">\n\(policy)<title>\(title)</title>\n"
            + "<style>\(Self.style)</style>\n</head>\n<body>\n<h1 dir=\"auto\">\(title)</h1>\n"
            + "<dl>\n\(rows.joined())</dl>\n<main>\n"
    }

    /// What closes the page.
    public var ending: String { "</main>\n</body>\n</html>\n" }

    /// Where the page is a file, no server sends its policy.
    private var policy: String {
        recordings.isEmpty
            ? ""
            : "<meta http-equiv=\"content-security-policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
                + "media-src 'self' file:\">\n"
    }

    /// One entry; a recording of the page has a player.
    public func text(of entry: TranscriptEntry, isFirst: Bool) -> String {
        let time = Zone.iso8601(entry.at, in: head.zone)
        let shown = "<time datetime=\"\(time)\">\(time.replacing("T", with: " ", maxReplacements: 1))</time>"
        let name = "<b dir=\"auto\">\(Markup.escaped(entry.author.name ?? "Earshot"))</b>"
        let role = entry.author.role.map { " <span class=\"role\">\($0.rawValue)</span>" } ?? ""
        func article(_ kind: String, _ text: String, _ audio: TranscriptEntry.Audio? = nil) -> String {
            "<article class=\"\(kind)\">\(name)\(role) \(shown)<p dir=\"auto\">\(Markup.escaped(text))</p>"
                + "\(audio.map { player($0.media) } ?? "")</article>\n"
        }
        return switch entry.content {
        case .text(let text): article("message", text)
        case .audio(let audio): article("message", Self.line(audio), audio)
        case .note(let text, let audio):
            article(
                "note",
                (["Private note:"] + [text, audio.map(Self.line)].compactMap(\.self)).joined(separator: " "),
                audio)
        case .event(let sentence, let recording, _):
            "<article class=\"event\">\(shown) <span dir=\"auto\">\(Markup.escaped(sentence))</span>"
                + "\(recording.map { player($0.media) } ?? "")</article>\n"
        }
    }

    private static func line(_ audio: TranscriptEntry.Audio) -> String {
        TextTranscript.line(audio, label: audioLabel)
    }

    /// A player of a recording and links to its files. Empty where the page has no recordings.
    private func player(_ media: MediaID) -> String {
        guard let files = recordings[media] else { return "" }
        guard let played = files.first(where: { $0.hasSuffix(".mp3") }) ?? files.first else {
            return "<p class=\"role\">This recording may not leave the server: it is not free of malware.</p>"
        }
        let links = files.map { file in
            "<a href=\"\(Markup.escaped(file, inAttribute: true))\">\(Markup.escaped(file))</a>"
        }
        // With the metadata a player shows the length before it plays.
        return "<audio controls preload=\"metadata\" src=\"\(Markup.escaped(played, inAttribute: true))\"></audio>"
            + "<small>\(links.joined(separator: " · "))</small>"
    }
}

/// Text as XML and HTML take it.
enum Markup {
    /// The text with everything escaped that means something in an element or in a quoted attribute. What XML 1.0
    /// cannot hold becomes U+FFFD.
    static func escaped(_ text: String, inAttribute: Bool = false) -> String {
        var escaped = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped.append(contentsOf: "&amp;".unicodeScalars)
            case "<": escaped.append(contentsOf: "&lt;".unicodeScalars)
            case ">": escaped.append(contentsOf: "&gt;".unicodeScalars)
            case "\"": escaped.append(contentsOf: "&quot;".unicodeScalars)
            case "'": escaped.append(contentsOf: "&#39;".unicodeScalars)
            case "\t", "\n":
                escaped.append(
                    contentsOf: inAttribute ? "&#\(scalar.value);".unicodeScalars : "\(scalar)".unicodeScalars)
            case "\r": escaped.append(contentsOf: "&#13;".unicodeScalars)
            case "\u{0}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": escaped.append("\u{FFFD}")
            default: escaped.append(scalar)
            }
        }
        return String(escaped)
    }

    /// Attributes with a space before each; those without a value are omitted.
    static func attributes(_ all: [(String, String?)]) -> String {
        all.compactMap { name, value in value.map { " \(name)=\"\(escaped($0, inAttribute: true))\"" } }.joined()
    }

    /// An element with its attributes and, where there is one, its text.
    static func element(_ name: String, _ all: [(String, String?)], _ text: String? = nil) -> String {
        let start = "<\(name)\(attributes(all))"
        return text.map { "\(start)>\(escaped($0))</\(name)>" } ?? "\(start)/>"
    }
}
