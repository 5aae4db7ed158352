import EarshotModel
import Foundation
import Logging

/// Writes each log line as one JSON object: `{"time","level","message","metadata"}`.
///
/// Whatever a value contains, the line is valid JSON without a line break inside, so that a log collector never loses
/// or splits one.
struct JSONLogHandler: LogHandler {
    var logLevel = Logger.Level.info
    var metadata: Logger.Metadata = [:]
    /// Takes one whole line, with its line break.
    private let write: @Sendable ([UInt8]) -> Void
    private let now: @Sendable () -> Timestamp

    init(now: @escaping @Sendable () -> Timestamp, write: @escaping @Sendable ([UInt8]) -> Void) {
        self.now = now
        self.write = write
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let metadata = self.metadata.merging(event.metadata ?? [:]) { $1 }
        var line: [UInt8] = []
        JSONText.append(raw: "{\"time\":", to: &line)
        JSONText.append(now().rfc3339, to: &line)
        JSONText.append(raw: ",\"level\":", to: &line)
        JSONText.append(event.level.rawValue, to: &line)
        JSONText.append(raw: ",\"message\":", to: &line)
        JSONText.append(event.message.description, to: &line)
        if !metadata.isEmpty {
            JSONText.append(raw: ",\"metadata\":", to: &line)
            Self.append(.dictionary(metadata), to: &line)
        }
        JSONText.append(raw: "}\n", to: &line)
        write(line)
    }

    private static func append(_ value: Logger.Metadata.Value, to line: inout [UInt8]) {
        switch value {
        case .string(let text): JSONText.append(text, to: &line)
        case .stringConvertible(let value): JSONText.append(value.description, to: &line)
        case .array(let values):
            JSONText.append(raw: "[", to: &line)
            for (index, value) in values.enumerated() {
                if index > 0 { JSONText.append(raw: ",", to: &line) }
                append(value, to: &line)
            }
            JSONText.append(raw: "]", to: &line)
        case .dictionary(let values):
            JSONText.append(raw: "{", to: &line)
            for (index, entry) in values.sorted(by: { $0.key < $1.key }).enumerated() {
                if index > 0 { JSONText.append(raw: ",", to: &line) }
                JSONText.append(entry.key, to: &line)
                JSONText.append(raw: ":", to: &line)
                append(entry.value, to: &line)
            }
            JSONText.append(raw: "}", to: &line)
        }
    }
}

extension Timestamp {
    /// The time in UTC as RFC 3339 writes it, with milliseconds: `2026-11-22T20:32:41.007Z`.
    var rfc3339: String {
        var seconds = time_t((Double(milliseconds) / 1000).rounded(.down))
        var parts = tm()
        gmtime_r(&seconds, &parts)
        let fraction = Int(milliseconds) - seconds * 1000
        let date = [Int(parts.tm_year) + 1900, Int(parts.tm_mon) + 1, Int(parts.tm_mday)]
        let clock = [Int(parts.tm_hour), Int(parts.tm_min), Int(parts.tm_sec)]
        return date.map { $0.twoDigits }.joined(separator: "-") + "T"
            + clock.map { $0.twoDigits }.joined(separator: ":") + ".\(fraction < 100 ? "0" : "")\(fraction.twoDigits)Z"
    }
}

extension Int {
    fileprivate var twoDigits: String { self < 10 ? "0\(self)" : "\(self)" }
}
