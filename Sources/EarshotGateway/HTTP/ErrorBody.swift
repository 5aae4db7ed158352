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
        if let limit = rejection.limit { members.append("\"limit\":\(limit)") }
        if let retryAfter = rejection.retryAfter { members.append("\"retryAfter\":\(retryAfter)") }
        if let received { members.append("\"received\":\(received)") }
        encoded = Array("{\"error\":{\(members.joined(separator: ","))}}".utf8)
    }

    /// docs/protocol.md section 5.
    static func status(of code: Rejection.Code) -> HTTPResponse.Status {
        switch code {
        case .badRequest, .unknownField, .unknownFrame, .tooManyWatches: .badRequest
        case .notSignedIn, .loginFailed: .unauthorized
        case .forbidden, .suspended, .originRefused, .csrf, .audioOff, .originalRefused: .forbidden
        case .notFound: .notFound
        case .methodNotAllowed: .methodNotAllowed
        case .timeout: .requestTimeout
        case .keyReused, .alreadyTaken, .notAssigned, .alreadyClosed, .uploadGap, .uploadSent, .uploadFinished,
            .audioPending, .offerGone,
            .overCapacity, .dispositionRequired, .surveyClosed, .stale, .lastManager:
            .conflict
        case .tooLarge, .audioTooLarge: .contentTooLarge
        case .notAudio: .unsupportedMediaType
        case .textTooLong, .textEmpty, .audioEmpty, .audioTooLong, .audioDamaged, .audioFailed, .audioBlocked,
            .settingOutOfRange,
            .badKey, .unknownSkill, .unknownAgent, .outOfRange:
            .unprocessableContent
        case .rateLimited: .tooManyRequests
        case .headersTooLarge: .requestHeaderFieldsTooLarge
        case .unavailable: .serviceUnavailable
        case .storageFull: HTTPResponse.Status(code: 507, reasonPhrase: "Insufficient Storage")
        }
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
