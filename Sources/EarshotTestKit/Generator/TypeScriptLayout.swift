import EarshotModel

/// Lays out TypeScript in lines of at most 120 columns.
///
/// A type or a list that fits into its line stays in one. In a longer one, each member has a line of its own.
enum TypeScriptLayout {
    private static let columns = 120

    /// A documentation comment, as one line if it fits.
    static func comment(_ text: String, indent: String = "") -> String {
        let line = "\(indent)/** \(text) */"
        if line.count <= columns { return line + "\n" }
        let room = columns - indent.count - " * ".count
        let lines = wrapped(text, room: room).map { "\(indent) * \($0)\n" }
        return "\(indent)/**\n" + lines.joined() + "\(indent) */\n"
    }

    /// `start`, the type, and `end`. `start` includes the indentation; continuation lines are indented by `indent`.
    static func line(
        _ start: String, _ type: WireType, prefix: String, end: String = ";", indent: String = ""
    ) -> String {
        start + text(of: type, prefix, indent, room: columns - start.count - end.count) + end
    }

    /// An array of text literals, sorted.
    static func list(_ values: [String], start: String, end: String) -> String {
        let literals = values.sorted().map { "\"\($0)\"" }
        let flat = "\(start)[" + literals.joined(separator: ", ") + "]\(end)"
        if flat.count <= columns { return flat }
        return "\(start)[\n" + literals.map { "  \($0),\n" }.joined() + "]\(end)"
    }

    private static func wrapped(_ text: String, room: Int) -> [String] {
        var lines: [String] = []
        for word in text.split(separator: " ") {
            if let last = lines.last, last.count + 1 + word.count <= room {
                lines[lines.count - 1] = "\(last) \(word)"
            } else {
                lines.append(String(word))
            }
        }
        return lines
    }

    private static func text(of type: WireType, _ prefix: String, _ indent: String, room: Int) -> String {
        let flat = flatText(of: type, prefix)
        return flat.count <= room ? flat : brokenText(of: type, prefix, indent)
    }

    /// The type over several lines. A type that has no parts to break at stays in one line.
    private static func brokenText(of type: WireType, _ prefix: String, _ indent: String) -> String {
        let inner = indent + "  "
        switch type {
        case .choice(let values):
            return values.map { "\n\(inner)| \"\($0)\"" }.joined()
        case .nullable(let type):
            return brokenText(of: type, prefix, indent) + " | null"
        case .list(let type):
            return "readonly \(brokenText(of: type, prefix, indent))[]"
        case .object(let fields):
            let members = fields.map { line("\(inner)\(head($0))", $0.type, prefix: prefix, indent: inner) + "\n" }
            return "{\n" + members.joined() + "\(indent)}"
        default:
            return flatText(of: type, prefix)
        }
    }

    /// The name of a member, up to its type.
    static func head(_ field: WireField) -> String {
        "readonly \(field.name)\(field.isOptional ? "?" : ""): "
    }

    private static func flatText(of type: WireType, _ prefix: String) -> String {
        switch type {
        case .string, .id, .name, .key: return "string"
        case .integer, .time: return "number"
        case .boolean: return "boolean"
        case .choice(let values): return values.map { "\"\($0)\"" }.joined(separator: " | ")
        case .empty: return "object"
        case .nullable(let type): return flatText(of: type, prefix) + " | null"
        case .list(let type):
            let element = flatText(of: type, prefix)
            let isUnion = element.contains(" | ") && !element.hasPrefix("{")
            return isUnion || element.hasPrefix("readonly") ? "readonly (\(element))[]" : "readonly \(element)[]"
        case .tuple(let fields):
            let elements = fields.map { "\($0.name): \(flatText(of: $0.type, prefix))" }
            return "readonly [" + elements.joined(separator: ", ") + "]"
        case .named(let name): return prefix + name
        case .map(let type): return "Readonly<Record<string, \(flatText(of: type, prefix))>>"
        case .object(let fields):
            return "{ " + fields.map { head($0) + flatText(of: $0.type, prefix) }.joined(separator: "; ") + " }"
        }
    }
}
