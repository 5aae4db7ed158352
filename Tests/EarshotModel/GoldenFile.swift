import Foundation
import Testing

/// The golden files in Tests/Fixtures/wire.
enum GoldenFile {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().appending(
        path: "Fixtures/wire")

    /// The names that begin with `prefix`.
    static func names(_ prefix: String) -> [String] {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return all.filter { $0.hasPrefix(prefix) && $0.hasSuffix(".json") }.sorted()
    }

    static func data(_ name: String) throws -> Data {
        try Data(contentsOf: folder.appending(path: name))
    }

    /// As values, so that the order of members and the way of escaping do not count.
    static func value(_ data: Data) throws -> NSObject {
        try #require(try JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed) as? NSObject)
    }
}
