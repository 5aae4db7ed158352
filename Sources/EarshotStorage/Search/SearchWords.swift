import EarshotCore
import EarshotModel
import Foundation
import GRDB

/// The words of a search, as the full-text index has them: all occur in a text; the last may be the beginning of a word
/// if it is long enough.
struct SearchWords {
    /// More words do not narrow a search, but cost time.
    private static let mostWords = 16

    private let exact: [String]
    /// The beginning of a word.
    private let prefix: String?
    private let tokenizer: any FTS5Tokenizer

    /// `nil` where the text has no word.
    init?(_ text: String, in db: Database) throws {
        tokenizer = try db.makeTokenizer(.unicode61(diacritics: .remove))
        var words = try tokenizer.tokenize(query: text).map(\.token)
        words = Array(words.prefix(Self.mostWords))
        guard let last = words.last else { return nil }
        if last.unicodeScalars.count >= Limits.searchPrefixScalars {
            (exact, prefix) = (words.dropLast(), last)
        } else {
            (exact, prefix) = (words, nil)
        }
    }

    /// The query for a full-text table. A word of the index contains no quotation mark.
    var query: String {
        (exact.map { "\"\($0)\"" } + (prefix.map { ["\"\($0)\"*"] } ?? [])).joined(separator: " ")
    }

    /// Whether a text that is not in the index matches.
    func match(_ text: String) throws -> Bool {
        let words = Set(try tokenizer.tokenize(document: text).map(\.token))
        return exact.allSatisfy(words.contains)
            && (prefix.map { prefix in words.contains { $0.hasPrefix(prefix) } } ?? true)
    }
}

extension Event {
    /// The text that searches look through.
    var searchedText: String? {
        switch kind {
        case .text(let text): text
        case .note(let note): note.text
        case .rated(let rated): rated.text
        default: nil
        }
    }

    /// The text that searches look through, in a stored event. Nearly all events are texts, and a complete decoder
    /// costs more than the index.
    /// - Parameter notes: whether a private note has such a text.
    static func searchedText(inWire body: [UInt8], notes: Bool) -> String? {
        if let text = Event.text(inWire: body) { return text }
        guard let event = try? JSONDecoder().decode(Event.self, from: Data(body)) else { return nil }
        if case .note = event.kind, !notes { return nil }
        return event.searchedText
    }
}

extension String {
    /// At most `Limits.previewCharacters` characters, including the first of the words if it occurs as it was typed.
    func excerpt(around words: String) -> String {
        let first = words.split { !$0.isLetter && !$0.isNumber }.first.map(String.init) ?? words
        guard count > Limits.previewCharacters,
            let found = range(of: first, options: [.caseInsensitive, .diacriticInsensitive])
        else {
            return String(prefix(Limits.previewCharacters))
        }
        let start = index(found.lowerBound, offsetBy: -30, limitedBy: startIndex) ?? startIndex
        return (start > startIndex ? "…" : "") + String(self[start...].prefix(Limits.previewCharacters - 1))
    }
}
