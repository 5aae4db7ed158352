import Foundation

/// Validates JSON against the part of JSON Schema 2020-12 that our schemas use.
/// Fails on an unknown keyword.
struct SchemaValidator {
    private let root: [String: Any]

    /// A schema of docs/schema.
    init(_ name: String) throws {
        let file = GoldenFile.folder.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "docs/schema/\(name).json")
        root = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any] ?? [:]
    }

    /// What is wrong with this value; empty where it is valid.
    func problems(_ value: Any, definition: String? = nil) -> [String] {
        let schema = definition.flatMap { (root["$defs"] as? [String: Any])?[$0] } ?? root
        return problems(value, schema as? [String: Any] ?? ["no such definition": true], "")
    }

    private func problems(_ value: Any, _ schema: [String: Any], _ path: String) -> [String] {
        schema.flatMap { keyword, rule -> [String] in
            switch keyword {
            case "$ref":
                let name = (rule as? String ?? "").replacing("#/$defs/", with: "")
                guard let target = (root["$defs"] as? [String: Any])?[name] as? [String: Any] else {
                    return ["\(path): \(name) is not defined"]
                }
                return problems(value, target, path)
            case "type": return isOfType(value, rule as? String) ? [] : ["\(path): not of type \(rule)"]
            case "enum":
                return (rule as? [String] ?? []).contains(value as? String ?? "\u{0}")
                    ? [] : ["\(path): not in \(rule)"]
            case "pattern": return matches(value, rule as? String ?? "") ? [] : ["\(path): does not match \(rule)"]
            case "minimum": return number(value) >= number(rule) ? [] : ["\(path): below \(rule)"]
            case "maximum": return number(value) <= number(rule) ? [] : ["\(path): above \(rule)"]
            case "minItems": return (value as? [Any])?.count ?? 0 >= Int(number(rule)) ? [] : ["\(path): too short"]
            case "maxItems": return (value as? [Any])?.count ?? 0 <= Int(number(rule)) ? [] : ["\(path): too long"]
            case "required":
                let members = value as? [String: Any] ?? [:]
                return (rule as? [String] ?? []).filter { members[$0] == nil }.map { "\(path).\($0) is missing" }
            case "properties":
                let members = value as? [String: Any] ?? [:]
                return (rule as? [String: [String: Any]] ?? [:]).flatMap { name, schema in
                    members[name].map { problems($0, schema, "\(path).\(name)") } ?? []
                }
            case "items":
                return (value as? [Any] ?? []).enumerated().flatMap {
                    problems($1, rule as? [String: Any] ?? [:], "\(path)[\($0)]")
                }
            case "prefixItems":
                return zip(value as? [Any] ?? [], rule as? [[String: Any]] ?? []).enumerated().flatMap {
                    problems($1.0, $1.1, "\(path)[\($0)]")
                }
            case "anyOf":
                let all = (rule as? [[String: Any]] ?? []).map { problems(value, $0, path) }
                return all.contains { $0.isEmpty } ? [] : ["\(path): none of the alternatives fits: \(all)"]
            case "$schema", "$id", "$defs", "title", "description", "$comment", "x-kind-order": return []
            default: return ["\(path): keyword \(keyword) is not known"]
            }
        }
    }

    private func isOfType(_ value: Any, _ type: String?) -> Bool {
        switch type {
        case "object": value is [String: Any]
        case "array": value is [Any]
        case "string": value is String
        case "null": value is NSNull
        case "boolean": (value as? NSNumber).map(isBoolean) ?? false
        case "integer":
            (value as? NSNumber).map { !isBoolean($0) && $0.doubleValue.rounded() == $0.doubleValue } ?? false
        default: false
        }
    }

    private func isBoolean(_ number: NSNumber) -> Bool { String(cString: number.objCType) == "c" }

    private func number(_ value: Any) -> Double { (value as? NSNumber)?.doubleValue ?? .nan }

    private func matches(_ value: Any, _ pattern: String) -> Bool {
        (value as? String)?.range(of: pattern, options: .regularExpression) != nil
    }
}
