import Foundation

/// The words that this repository does not use, each with the word that it uses instead.
struct Glossary {
    /// A refused word or phrase.
    struct Word {
        let text: String
        let advice: String
        /// The word must begin with a capital letter, as in a type's name: `floor` may be a function of arithmetic.
        var isType = false
    }

    /// A place in which a refused word is right, and why.
    struct Exception {
        /// The word, or `*` for all of them.
        let word: String
        /// How the paths begin in which it is allowed.
        let path: String
        let reason: String
    }

    private let byFirst: [String: [(parts: [String], word: Word)]]
    private let exceptions: [Exception]

    /// The refused words are those in bold in the "not" column of docs/glossary.md, and the habits of `metaphors` and
    /// `riddles`.
    init(page: String, exceptions: [Exception] = Self.exceptions) {
        let ofThePage = Self.boldWords(inTable: page)
        let known = Set(ofThePage.map(\.text))
        let words = ofThePage + (Self.metaphors + Self.riddles).filter { !known.contains($0.text) }
        byFirst = Dictionary(
            grouping: words.map { (parts: Self.parts(of: Substring($0.text)).map(\.lowercased), word: $0) },
            by: { $0.parts[0] })
        self.exceptions = exceptions
    }

    /// The refused words of a line, in the order of the line.
    func refusedWords(in line: Substring, path: String) -> [Word] {
        let parts = Self.parts(of: line)
        return parts.indices.flatMap { index -> [Word] in
            guard let candidates = byFirst[parts[index].lowercased] else { return [] }
            return candidates.filter { candidate in
                parts[index...].prefix(candidate.parts.count).map(\.lowercased) == candidate.parts
                    && (!candidate.word.isType || parts[index].isCapitalised)
                    && !exceptions.contains {
                        ($0.word == "*" || $0.word == candidate.word.text) && path.hasPrefix($0.path)
                    }
            }.map(\.word)
        }
    }

    /// One word of a text, or one part of a camelCase identifier.
    struct Part {
        let lowercased: String
        let isCapitalised: Bool
    }

    /// Splits a text at everything but letters, and an identifier where a capital letter begins a part.
    /// An empty part marks where a phrase ends: at anything but a space, a hyphen or an underscore.
    static func parts(of text: Substring) -> [Part] {
        var parts: [Part] = []
        var (current, isCapitalised, lastWasLower): ([UInt8], Bool, Bool) = ([], false, false)
        func end() {
            if !current.isEmpty {
                parts.append(Part(lowercased: String(decoding: current, as: UTF8.self), isCapitalised: isCapitalised))
            }
            current = []
        }
        for byte in text.utf8 {
            let isUpper = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
            let isLower = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
            if !isUpper && !isLower || isUpper && lastWasLower { end() }
            if !isUpper && !isLower && !" _-".utf8.contains(byte), parts.last?.lowercased.isEmpty == false {
                parts.append(Part(lowercased: "", isCapitalised: false))
            }
            if isUpper || isLower {
                if current.isEmpty { isCapitalised = isUpper }
                current.append(isUpper ? byte + 32 : byte)
            }
            lastWasLower = isLower
        }
        end()
        return parts
    }

    /// The bold words in the third column of the table, with the row's own word as advice.
    static func boldWords(inTable page: String) -> [Word] {
        page.split(separator: "\n").filter { $0.hasPrefix("| ") }.flatMap { row -> [Word] in
            let cells = row.split(separator: "|", omittingEmptySubsequences: false)
            guard cells.count == 5 else { return [] }
            let instead = cells[1].trimmingCharacters(in: .whitespaces)
            return cells[3].matches(of: #/[*]{2}([^*]+)[*]{2}/#).map {
                Word(text: String($0.1), advice: "Write \"\(instead)\".")
            }
        }
    }

    private static func refuse(_ texts: String..., advice: String) -> [Word] {
        texts.map { Word(text: $0, advice: advice) }
    }

    /// Names that were private images for things that have a name in the field.
    static let metaphors: [Word] =
        refuse("desk", "desks", advice: "Name the use case's service, the agent's session or the routing state.")
        + [Word(text: "Floor", advice: "Name the routing engine, or the lower limit that is meant.", isType: true)]
        + refuse("doorbell", "doorbells", "rung", advice: "A commit listener is notified; an agent gets an offer.")
        + refuse(
            "booth", "shelf", "shelves", "vault", "taste",
            advice: "Name what it holds: recorders, cached audio, keys, preferences.")
        + refuse("stance", "lanes", "agenda", advice: "Name the permissions, the signals or the scheduled actions.")
        + refuse("stranger", "strangers", advice: "Write \"untrusted\" or \"unknown\".")

    /// Turns of phrase that a reader stumbles over.
    static let riddles: [Word] =
        refuse("whoever", "whatever it be", advice: "Write who does it: \"the client that\", \"anyone who\".")
        + refuse("anew", advice: "Write \"again\".")
        + refuse("left away", "leaves away", "leave away", advice: "Write \"omitted\", \"omits\" or \"omit\".")
        + refuse("by heart", advice: "Write \"cached\".")
        + refuse("any more", advice: "Write \"no longer\".")
        + refuse("on its way", "on their way", advice: "Write \"in flight\".")

    /// Where a refused word is right. Keep this list short: each entry needs a reason that a reader accepts.
    static let exceptions: [Exception] = [
        Exception(word: "*", path: "docs/glossary.md", reason: "the table itself names the refused words"),
        Exception(word: "voice note", path: "Web/workspace/", reason: "a private note that is spoken"),
        Exception(
            word: "voice note", path: "Tests/EndToEnd/voice/test_recorder.py", reason: "a private note that is spoken"),
        Exception(word: "*", path: "Tests/House/Glossary.swift", reason: "the list itself"),
        Exception(word: "*", path: "Tests/House/TextRulesCanFailTests.swift", reason: "shows that each is refused"),
    ]
}
