import Foundation

/// What docs/protocol.md, EarshotModel and the golden files say about the same thing, each read from its own text.
enum PublishedLanguage {
    /// The codes in the first column of the protocol's section 5.
    static func codes(inProtocol text: String) -> Set<String> {
        guard
            let section = text.components(separatedBy: "\n## 5. Codes").dropFirst().first?.components(
                separatedBy: "\n## "
            ).first
        else { return [] }
        let firstCells = section.split(separator: "\n").filter { $0.hasPrefix("| `") }.compactMap {
            $0.split(separator: "|").first
        }
        return Set(firstCells.flatMap { $0.matches(of: /`(\w+)`/).map { String($0.1) } })
    }

    /// The cases of `enum NAME` with their raw values (the case's own name where none is written).
    static func cases(of name: String, in text: String) -> Set<String> {
        guard let start = text.range(of: "enum \(name):") else { return [] }
        let body = text[start.upperBound...].prefix { $0 != "}" }.replacing(/,\s*\n\s*/, with: ", ")
        let lines = body.matches(of: /\n\s*case ([^\n]+)/).map(\.1)
        return Set(
            lines.flatMap { $0.replacing(/\([^\n]*\)/, with: "").split(separator: ", ") }.compactMap {
                $0.wholeMatch(of: /(\w+)(?: = "([^"]+)")?/)
            }
            .map { String($0.2 ?? $0.1) })
    }

    /// The event kinds in a golden file: the keys of an event other than `n`, `at` and `by`.
    static func eventKinds(inGolden data: Data) throws -> Set<String> {
        kinds(in: try JSONSerialization.jsonObject(with: data, options: [.fragmentsAllowed]))
    }

    private static func kinds(in value: Any) -> Set<String> {
        if let list = value as? [Any] { return list.reduce(into: []) { $0.formUnion(kinds(in: $1)) } }
        guard let object = value as? [String: Any] else { return [] }
        let envelope: Set<String> = ["n", "at", "by"]
        let own = envelope.isSubset(of: object.keys) ? Set(object.keys).subtracting(envelope) : []
        return object.values.reduce(into: own) { $0.formUnion(kinds(in: $1)) }
    }
}
