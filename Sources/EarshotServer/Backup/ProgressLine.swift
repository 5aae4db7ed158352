import Dispatch

/// Reports the progress of long work: a line every few seconds, and none for short work.
final class ProgressLine {
    private static let intervalSeconds = 5.0

    private let verb: String
    private let total: Int
    private let unit: String
    private let report: (String) -> Void
    private var last = DispatchTime.now()

    init(_ verb: String, of total: Int, unit: String, _ report: @escaping (String) -> Void) {
        self.verb = verb
        self.total = total
        self.unit = unit
        self.report = report
    }

    func reached(_ count: Int) {
        let now = DispatchTime.now()
        guard Double(now.uptimeNanoseconds - last.uptimeNanoseconds) > Self.intervalSeconds * 1e9 else { return }
        last = now
        report(unit.hasPrefix("%") ? "\(verb) \(count) \(unit)" : "\(verb) \(count) of \(total) \(unit)")
    }
}
