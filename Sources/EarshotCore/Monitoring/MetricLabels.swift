public import EarshotModel

extension Readiness.Reason: MetricLabel {}

extension Rejection.Code: MetricLabel {}

extension Readiness {
    /// Whether the server takes work, and what keeps it from all of its work.
    public var metrics: [any Metric] {
        [
            ReadMetric("earshot_ready", "1 while the server takes work, else 0.") { [self] in isReady ? 1 : 0 },
            ReadMetric(
                "earshot_problem",
                "1 for each reason why the server cannot do all of its work, else 0 (docs/operating.md).", by: "reason"
            ) { [self] () -> [Reason: Double] in
                let reasons = reasons
                return Dictionary(uniqueKeysWithValues: Reason.allCases.map { ($0, reasons.contains($0) ? 1 : 0) })
            },
        ]
    }
}
