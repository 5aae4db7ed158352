import EarshotModel
import HTTPTypes

@testable import EarshotGateway

/// A request that a route would take, made from what it declares: the matrices try every route without knowing any.
extension Route {
    func samplePath(_ values: [String: String] = [:]) -> String {
        path.replacing(/\{(.+?)\}/) { values[String($0.1)] ?? "AAAAAAAAAAAAAAAAAAAAAA" }
            + (body.isBytes ? "?offset=0" : "")
    }

    /// Its body with every field, and these besides.
    func sampleBody(_ values: [String: String] = [:], extra: [String] = []) -> [UInt8]? {
        switch body {
        case .none: return nil
        case .bytes: return Array("bytes".utf8)
        case .json(let fields), .document(let fields):
            let members = fields.map { "\($0.name.jsonText):\(values[$0.name]?.jsonText ?? $0.sample)" } + extra
            return Array("{\(members.joined(separator: ","))}".utf8)
        }
    }

    var contentType: [(String, String)] {
        switch body {
        case .none: []
        case .bytes: [("content-type", "application/octet-stream")]
        case .json, .document: [("content-type", "application/json")]
        }
    }

    /// `POST /v1/login`, for messages.
    var title: String { "\(method) \(path)" }
}

extension Route.Body {
    var isBytes: Bool {
        if case .bytes = self { true } else { false }
    }
}

extension Field {
    /// A value of its kind, as JSON.
    var sample: String {
        switch kind {
        case .text: "\"text\""
        case .identifier: "\"AAAAAAAAAAAAAAAAAAAAAA\""
        case .sha256: String(repeating: "a", count: 64).jsonText
        case .integer(let range): "\(range.lowerBound)"
        case .boolean: "true"
        case .switches: "{}"
        case .textList: "[]"
        case .object, .texts, .anything: "{}"
        }
    }

    /// Values of every other kind.
    var wrong: [String] {
        let others =
            ["1.5"] + (kind.isList ? [] : ["[]", "[\"text\"]"]) + (isRequired ? ["null"] : [])
            + (kind == .boolean ? [] : ["true"])
            + (kind.isObject ? [] : ["{}"])
        switch kind {
        case .anything: return isRequired ? ["null"] : []
        case .texts(let limit):
            return others + [
                "7", "\"text\"", #"{"a":1}"#, #"{"a":null}"#,
                "{\"a\":\(String(repeating: "x", count: limit).jsonText)}",
            ]
        case .textList(let limit):
            return others + [
                "7", "\"text\"", "[1]", "[null]", "[[]]", "[\(String(repeating: "x", count: limit + 1).jsonText)]",
            ]
        case .boolean: return others + ["7", "\"true\""]
        case .switches: return others + ["7", "\"text\"", #"{"a":1}"#, #"{"a":"true"}"#, #"{"a":null}"#]
        case .object(let fields):
            return others + ["7", "\"text\""]
                + fields.flatMap { field in field.wrong.map { "{\(field.name.jsonText):\($0)}" } }
        case .text(let limit): return others + ["7", String(repeating: "x", count: limit + 1).jsonText]
        case .identifier:
            return others + ["7", "\"\"", "\"a b\"", "\"../x\"", String(repeating: "x", count: 65).jsonText]
        case .sha256:
            return others + ["7", "\"\"", String(repeating: "g", count: 64).jsonText]
                + [63, 65].map { String(repeating: "a", count: $0).jsonText }
        case .integer(let range):
            return others + ["\"7\"", "\(range.lowerBound - 1)", "\(range.upperBound + 1)", "1.5e0"]
        }
    }
}

extension Field.Kind {
    fileprivate var isObject: Bool {
        switch self {
        case .switches, .object, .texts: true
        case .anything, .text, .textList, .identifier, .sha256, .integer, .boolean: false
        }
    }

    fileprivate var isList: Bool {
        if case .textList = self { true } else { false }
    }
}
