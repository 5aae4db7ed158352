import EarshotModel
import Foundation

/// Writes the tables of docs/protocol.md, each between a pair of markers.
enum ProtocolTables {
    /// The page with each table replaced by the generated one. A table without markers is not added.
    static func filled(into page: String) -> String {
        var page = page
        for (name, table) in tables {
            let (start, end) = ("<!-- generated: \(name) -->\n", "<!-- end -->")
            guard let from = page.range(of: start), let to = page[from.upperBound...].range(of: end) else { continue }
            page.replaceSubrange(from.upperBound..<to.lowerBound, with: table + "\n")
        }
        return page
    }

    private static var tables: [(name: String, text: String)] {
        [
            ("client kinds", kinds(WireSchema.clientKinds)), ("server kinds", kinds(WireSchema.serverKinds)),
            ("client frames", frames(WireSchema.clientFrames, "from")),
            ("server frames", frames(WireSchema.serverFrames, "to")),
            ("types", types),
            ("events", events(isPrivate: false)), ("private events", events(isPrivate: true)), ("codes", codes),
            ("limits", limits), ("sections", sections), ("permissions", permissions),
        ]
    }

    private static var types: String {
        table(
            ["type", "value", "meaning"],
            WireSchema.types.map { ["`\($0.name)`", "`\(notation($0.type))`", $0.about] })
    }

    private static func kinds(_ kinds: [String]) -> String { kinds.map { "`\($0)`" }.joined(separator: ", ") + "." }

    private static func frames(_ frames: [WireFrame], _ direction: String) -> String {
        table(
            ["frame", direction, "means"],
            frames.map { frame in
                let need = frame.permission.map { " (`\($0.rawValue)`)" } ?? ""
                return ["`\(notation(.object(frame.fields)))`", frame.audience.rawValue + need, frame.about]
            })
    }

    private static func events(isPrivate: Bool) -> String {
        table(
            ["kind", "value", "by", "means"],
            WireSchema.events.filter { $0.isPrivate == isPrivate }.map {
                ["`\($0.name)`", "`\(notation($0.type))`", $0.by, $0.about]
            })
    }

    private static var codes: String {
        table(
            ["code", "HTTP", "meaning", "try again?", "ends the command?"],
            Rejection.Code.allCases.sorted { ($0.status, $0.rawValue) < ($1.status, $1.rawValue) }.map { code in
                [
                    "`\(code.rawValue)`", String(code.status), code.entry.meaning, code.entry.retry.rawValue,
                    code.entry.endsCommand ? "yes" : "no",
                ]
            })
    }

    private static var permissions: String {
        table(
            ["permission", "what it allows", "needs", "built-in profiles", "own profiles"],
            Permission.allCases.map { permission in
                let declared = permission.declaration
                return [
                    "`\(permission.rawValue)`", "\(declared.name). \(declared.sentence)",
                    declared.needs.map { "`\($0.rawValue)`" }.joined(separator: ", "),
                    permission.builtIn.map(\.rawValue).joined(separator: ", "),
                    declared.isForCustomProfiles ? "yes" : "never",
                ]
            })
    }

    private static var limits: String {
        table(
            ["limit", "value", "of", "what is limited, and what happens beyond it"],
            WireSchema.limits.map { limit in
                let value = limit.least.map { "\($0) to \(limit.most)" } ?? String(limit.most)
                return ["`\(limit.name)`", value, limit.unit, limit.about]
            })
    }

    private static var sections: String {
        let types = Dictionary(uniqueKeysWithValues: WireSchema.settingsTypes.map { ($0.name, $0) })
        return table(
            ["section", "value", "meaning"],
            WireSchema.sections.map { section in
                let (isList, name) =
                    switch section.type {
                    case .list(.named(let name)): (true, name)
                    case .named(let name): (false, name)
                    default: (false, "")
                    }
                guard let type = types[name] else { return [section.name, "", section.about] }
                let value = notation(type.type)
                return ["`\(section.name)`", isList ? "`[\(value)]`" : "`\(value)`", "\(section.about) \(type.about)"]
            })
    }

    private static func table(_ head: [String], _ rows: [[String]]) -> String {
        ([head, head.map { _ in "---" }] + rows).map { row in
            "| " + row.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ") + " |"
        }.joined(separator: "\n")
    }

    /// The type in the notation of docs/protocol.md section 2: `{"got":n,"c":id?}`.
    static func notation(_ type: WireType) -> String {
        switch type {
        case .string: "text"
        case .integer(nil): "n"
        case .integer(let range?): "\(range.lowerBound)…\(range.upperBound)"
        case .boolean: "bool"
        case .time: "ms"
        case .id, .name: "id"
        case .key: "key"
        case .choice(let values): values.map { "\"\($0)\"" }.joined(separator: "|")
        case .empty: "{}"
        case .nullable(let type): notation(type) + "|null"
        case .list(let type): "[" + notation(type) + ",…]"
        case .tuple(let fields): "[" + fields.map { notation($0.type) }.joined(separator: ",") + "]"
        case .named(let name): name
        case .map(let type): "{name:" + notation(type) + ",…}"
        case .object(let fields):
            "{"
                + fields.map { "\"\($0.name)\":\(notation($0.type))" + ($0.isOptional ? "?" : "") }
                .joined(separator: ",") + "}"
        }
    }
}
