import EarshotModel
import HTTPTypes

/// `{"error":{"code","text","request"}}`: the body of every refusal. It contains nothing internal; the request id leads
/// to the log line.
struct ErrorBody: Hashable, Sendable {
    static let contentType = "application/json; charset=utf-8"

    let encoded: [UInt8]

    init(_ rejection: Rejection, request: String, received: Int? = nil) {
        var members = [
            "\"code\":\(rejection.code.rawValue.jsonText)", "\"text\":\(rejection.text.jsonText)",
            "\"request\":\(request.jsonText)",
        ]
        if let field = rejection.field { members.append("\"at\":\(field.jsonText)") }
        if let limit = rejection.limit { members.append("\"limit\":\(limit)") }
        if let retryAfter = rejection.retryAfter { members.append("\"retryAfter\":\(retryAfter)") }
        if let received { members.append("\"received\":\(received)") }
        encoded = Array("{\"error\":{\(members.joined(separator: ","))}}".utf8)
    }

    /// The status that the error catalogue has for this code.
    static func status(of code: Rejection.Code) -> HTTPResponse.Status {
        code == .storageFull
            ? HTTPResponse.Status(code: 507, reasonPhrase: "Insufficient Storage")
            : HTTPResponse.Status(code: code.status)
    }
}

extension String {
    /// This text as a JSON string that is safe inside HTML.
    var jsonText: String {
        var out = "\""
        for scalar in unicodeScalars {
            switch scalar {
            case "\"": out += "\\\""
            case "\\": out += "\\\\"
            case "\u{0}"..<" ", "<", "\u{2028}", "\u{2029}":
                out += "\\u" + String(scalar.value + 0x10000, radix: 16).suffix(4)
            default: out.unicodeScalars.append(scalar)
            }
        }
        return out + "\""
    }
}
