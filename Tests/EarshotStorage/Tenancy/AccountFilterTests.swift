import EarshotCore
import EarshotModel
import Foundation
import Testing

@testable import EarshotStorage

/// Every statement that finds rows takes the brand as a parameter. These tests take that condition out of each, one
/// after the other, and show that the story of two brands differs then: a forgotten condition does not go unnoticed.
@Suite struct `What one brand reads and changes` {
    @Test func `does not depend on another brand, however alike their rows are`() async throws {
        let alone = try await TwoBrands.transcript(isAlone: true).entries
        let together = try await TwoBrands.transcript(isAlone: false).entries
        #expect(alone.count > 60)
        for (left, right) in zip(alone, together) { #expect(left == right) }
        #expect(alone.count == together.count)
    }

    @Test func `differs as soon as one statement forgets the brand`() async throws {
        let (alone, _) = try await TwoBrands.transcript(isAlone: true)
        let (_, statements) = try await TwoBrands.transcript(isAlone: false)
        let mutants = statements.flatMap(AccountCondition.withoutOne).sorted { $0.other < $1.other }
        var unnoticed: [String] = []
        for mutant in mutants {
            let entries = try? await TwoBrands.transcript(isAlone: false, replacing: mutant).entries
            if entries == alone { unnoticed.append(mutant.other) }
        }
        let unexpected = unnoticed.filter { text in !Self.guardedTwice.contains { text.contains($0.fragment) } }
        #expect(unexpected.isEmpty, "not noticed: \(unexpected.joined(separator: "\n---\n"))")
        for one in Self.guardedTwice {
            #expect(unnoticed.contains { $0.contains(one.fragment) }, "is noticed now, take it out: \(one.fragment)")
        }
        #expect(mutants.count >= 60, "\(mutants.count) conditions in \(statements.count) statements")
        print("\(mutants.count) conditions of \(statements.count) statements, \(unnoticed.count) guarded twice")
    }

    /// A new statement with the brand as a condition has to occur in the story.
    @Test func `is read and changed by every statement of the sources that has the brand as a condition`() async throws
    {
        let (_, statements) = try await TwoBrands.transcript(isAlone: false)
        let all = statements.map(Self.words)
        let fragments = try Self.fragments()
        #expect(fragments.count > 45)
        for fragment in fragments {
            let words = Self.words(fragment)
            #expect(all.contains { $0.contains(words) }, "in no statement of the story: \(fragment)")
        }
    }

    /// Conditions whose absence shows nothing, because something else asks for the same.
    private static let guardedTwice: [(fragment: String, reason: String)] = [
        ("DELETE FROM search_facet WHERE (feed = ? OR 1)", "the conversation is named, too"),
        ("AND (c.feed = ? OR 1) AND EXISTS", "so does the condition on the conversation's facet"),
        ("WHERE c.pk IN (SELECT value FROM json_each(?)) AND (c.feed = ? OR 1) ORDER", "words were found in the feed"),
        ("EXISTS (SELECT 1 FROM search_facet WHERE (feed = ? OR 1)", "so does the condition on the conversation"),
        ("SELECT conversation FROM search_facet WHERE (feed = ? OR 1)", "its rows are read with the condition"),
        ("SELECT min(value) FROM search_facet WHERE (feed = ?1 OR 1)", "conversations are read with the condition"),
        ("WHERE (feed = ? OR 1) AND kind = 'tag' AND value IN", "their rows are read with the condition"),
        ("c.pk = e.conversation AND (c.feed = ? OR 1)", "its rows are read with the condition"),
        ("SELECT 1 FROM conversation WHERE (feed = ?1 OR 1)", "the number decides only whether all rows are read"),
        ("SELECT id, body FROM agent WHERE (account = ? OR 1)", "PersonChange looks at people of the brand only"),
        ("SELECT consumer FROM consumer_identity WHERE (account = ? OR 1)", "related(to:) drops others' consumers"),
    ]

    /// The parts of string literals in the sources of storage that compare with a brand.
    private static func fragments() throws -> [String] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources/EarshotStorage")
        let files = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        var found: [String] = []
        for file in files.sorted() where file.hasSuffix(".swift") && !file.hasPrefix("Schema/") {
            let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
            for line in text.split(separator: "\n") where !line.contains("///") {
                let literals = line.split { $0 == "\"" || $0 == "\\" }
                // A part that follows an interpolated value begins with that value's name.
                let parts = literals.map { $0.hasPrefix("(") ? String($0.drop { $0 != ")" }.dropFirst()) : String($0) }
                found += parts.filter { $0.contains(AccountCondition.pattern) }
            }
        }
        return found
    }

    private static func words(_ text: String) -> String {
        text.split { $0.isWhitespace }.joined(separator: " ")
    }
}

/// A condition of a statement by which it finds rows of one brand only.
enum AccountCondition {
    static var pattern: some RegexComponent {
        #/(?:\b\w+\.)?\b(?:account|feed) = (?:\?\d*|:account\b)/#.wordBoundaryKind(.simple)
    }

    /// The statement with one of these conditions always true, for each. Its parameters stay the same.
    static func withoutOne(_ statement: String) -> [StatementHook.Replacement] {
        statement.ranges(of: pattern).map { range in
            var other = statement
            other.replaceSubrange(range, with: "(\(statement[range]) OR 1)")
            return StatementHook.Replacement(statement: statement, other: other)
        }
    }
}
