import EarshotCore
import EarshotModel
import HTTPTypes
import NIOHTTP1

/// Answers that are made below Hummingbird. They look exactly like its answers.
struct RefusalAnswers: Sendable {
    let headers: SecurityHeaders
    let requestID: @Sendable () -> String
    var metrics: GatewayMetrics?

    func make(_ rejection: Rejection) -> (HTTPResponseHead, [UInt8]) {
        metrics?.refusals.increment(rejection.code)
        let body = ErrorBody(rejection, request: requestID()).encoded
        var fields = HTTPHeaders([
            ("content-type", ErrorBody.contentType), ("content-length", "\(body.count)"), ("connection", "close"),
        ])
        if let retryAfter = rejection.retryAfter { fields.add(name: "retry-after", value: "\(retryAfter)") }
        for (name, value) in headers.api { fields.add(name: name, value: value) }
        let status = HTTPResponseStatus(statusCode: ErrorBody.status(of: rejection.code).code)
        return (HTTPResponseHead(version: .http1_1, status: status, headers: fields), body)
    }
}
