import EarshotCore
import FoundationEssentials

/// A file with these bytes, gone with its owner.
final class SoundFile: Sendable {
    let file: MediaFile

    init(bytes: [UInt8]) throws {
        let path = FileManager.default.temporaryDirectory.path + "/earshot-test-" + UUID().uuidString + ".mp3"
        try Data(bytes).write(to: URL(filePath: path))
        file = MediaFile(path: path, size: bytes.count, etag: "tag-\(bytes.count)")
    }

    deinit {
        try? FileManager.default.removeItem(atPath: file.path)
    }
}
