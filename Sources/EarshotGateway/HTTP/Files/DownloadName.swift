import EarshotCore
import EarshotModel
import Foundation

extension RecordingFile {
    /// The file name of a download: `voice-message-2026-11-21-1530.mp3`, by its minute in UTC.
    var downloadName: String {
        let date = Date(timeIntervalSince1970: Double(at.milliseconds) / 1000)
        let minute = date.formatted(.iso8601).prefix(16).replacing("T", with: "-").replacing(":", with: "")
        return "voice-message-\(minute).\(Self.ending(container))"
    }

    /// Reduces the container's name to letters and digits.
    private static func ending(_ container: String) -> String {
        let plain =
            !container.isEmpty && container.utf8.count <= 8
            && container.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
        return plain ? container.lowercased() : "bin"
    }
}
