import EarshotCore
import HTTPTypes
import NIOCore

/// Counts and times HTTP requests by route. The labels are the templates of the declared routes, never a path that a
/// client sent.
struct RequestMetrics: Sendable {
    /// The first digit of the status.
    enum StatusClass: String, MetricLabel {
        case informational = "1xx"
        case success = "2xx"
        case redirection = "3xx"
        case clientError = "4xx"
        case serverError = "5xx"

        init(_ status: HTTPResponse.Status) {
            switch status.kind {
            case .informational, .invalid: self = .informational
            case .successful: self = .success
            case .redirection: self = .redirection
            case .clientError: self = .clientError
            case .serverError: self = .serverError
            }
        }
    }

    /// What a request asked for.
    enum Target: Hashable {
        case route(HTTPRequest.Method, path: String)
        /// A file of the web pages.
        case page
        /// No route and no page.
        case nothing
    }

    private struct Series: Sendable {
        let answers = Dictionary(uniqueKeysWithValues: StatusClass.allCases.map { ($0, Counter("", "")) })
        let time = Histogram("", "", .latency)
    }

    private let targets: [Target]
    private let series: [Target: Series]

    init(_ routes: [Route]) {
        targets = routes.map { .route($0.method, path: $0.path) } + [.page, .nothing]
        series = Dictionary(uniqueKeysWithValues: targets.map { ($0, Series()) })
    }

    /// Counts an answer.
    /// - Parameter time: from the request's head until the answer's head.
    func count(_ target: Target, _ status: HTTPResponse.Status, after time: Duration) {
        guard let series = series[target] else { return }
        series.answers[StatusClass(status)]?.increment()
        series.time.observe(time)
    }

    var all: [any Metric] { [Requests(metrics: self), Times(metrics: self)] }

    private func samples(_ read: (Series, [MetricFamily.Label]) -> [MetricFamily.Sample]) -> [MetricFamily.Sample] {
        targets.flatMap { target in series[target].map { read($0, target.labels) } ?? [] }
    }

    private struct Requests: Metric {
        let metrics: RequestMetrics

        var family: MetricFamily {
            MetricFamily(
                name: "earshot_http_requests_total", help: "HTTP requests, by route and class of the answer's status.",
                kind: .counter,
                samples: metrics.samples { series, labels in
                    StatusClass.allCases.map { status in
                        .init(
                            labels: labels + [.init("status", status.rawValue)],
                            value: Double(series.answers[status]?.value ?? 0))
                    }
                })
        }
    }

    private struct Times: Metric {
        let metrics: RequestMetrics

        var family: MetricFamily {
            MetricFamily(
                name: "earshot_http_request_seconds", help: "Time until the head of the answer, by route.",
                kind: .histogram, samples: metrics.samples { $0.time.samples(labels: $1) })
        }
    }
}

extension RequestMetrics.Target {
    fileprivate var labels: [MetricFamily.Label] {
        switch self {
        case .route(let method, let path): [.init("method", method.rawValue), .init("route", path)]
        case .page: [.init("method", "GET"), .init("route", "page")]
        case .nothing: [.init("method", "any"), .init("route", "none")]
        }
    }
}
