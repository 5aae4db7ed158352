import EarshotModel
import Foundation
import Logging
import Synchronization
import Testing

@testable import EarshotServer

@Suite struct `The log as JSON` {
    private final class Lines: Sendable {
        let all = Mutex<[[UInt8]]>([])

        func logger() -> Logger {
            Logger(label: "test") { _ in
                JSONLogHandler(now: { Timestamp(milliseconds: 1_795_379_561_007) }) { line in
                    self.all.withLock { $0.append(line) }
                }
            }
        }

        var objects: [[String: Any]] {
            all.withLock { $0 }.compactMap {
                try? JSONSerialization.jsonObject(with: Data($0)) as? [String: Any]
            }
        }
    }

    @Test func `is one object per line with time, level, message and metadata`() throws {
        let lines = Lines()
        var logger = lines.logger()
        logger[metadataKey: "request"] = "r1"
        logger.warning("The disk is full.", metadata: ["free": "0", "folders": ["a", "b"], "of": ["kind": "media"]])
        let bytes = try #require(lines.all.withLock { $0.first })
        #expect(
            String(decoding: bytes, as: UTF8.self)
                == #"{"time":"2026-11-22T20:32:41.007Z","level":"warning","message":"The disk is full.","metadata":"#
                + #"{"folders":["a","b"],"free":"0","of":{"kind":"media"},"request":"r1"}}"# + "\n")
    }

    @Test func `stays one line of valid JSON whatever a value contains`() throws {
        let lines = Lines()
        let nasty = (0...0x2f).map { String(UnicodeScalar(UInt8($0))) }.joined() + "\u{7f}\u{2028}\u{fffd}\u{1f600}\"\\"
        let broken = String(decoding: [0xff, 0xc3, 0x28, 0x00, 0x0a], as: UTF8.self)
        for text in [nasty, broken, ""] {
            lines.logger().error("A request failed.", metadata: ["what": "\(text)", "\(text)": "key"])
        }
        for line in lines.all.withLock({ $0 }) {
            #expect(line.filter { $0 == UInt8(ascii: "\n") }.count == 1)
            #expect(line.last == UInt8(ascii: "\n"))
        }
        let objects = lines.objects
        #expect(objects.count == 3)
        #expect((objects.first?["metadata"] as? [String: String])?["what"] == nasty)
    }

    @Test(arguments: [
        (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
        (951_782_400_099, "2000-02-29T00:00:00.099Z"),
        (1_795_379_561_120, "2026-11-22T20:32:41.120Z"),
    ])
    func `writes times as RFC 3339 does`(milliseconds: Int, text: String) {
        #expect(Timestamp(milliseconds: Int64(milliseconds)).rfc3339 == text)
    }
}
