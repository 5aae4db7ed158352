import EarshotModel
import Foundation

/// What an upload keeps on disk to survive a restart. Every call blocks.
extension RecordingPaths {
    /// Saves who began the upload.
    func save(_ about: Upload.About) throws {
        try FileSystem.replace(self.about, with: Array(JSONEncoder().encode(about)))
    }

    /// Who began the upload; `nil` if the file is missing or unreadable.
    func loadAbout() -> Upload.About? {
        guard let bytes = try? FileSystem.contents(of: about) else { return nil }
        return try? JSONDecoder().decode(Upload.About.self, from: Data(bytes))
    }

    /// Saves why the recording was refused.
    func save(_ rejection: Rejection) throws {
        let lines = "\(rejection.code.rawValue)\n\(rejection.limit ?? 0)\n\(rejection.text)"
        try FileSystem.replace(refused, with: Array(lines.utf8))
    }

    /// Why the recording was refused; `nil` if it was not.
    func loadRejection() -> Rejection? {
        guard let bytes = try? FileSystem.contents(of: refused) else { return nil }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", maxSplits: 2)
        guard lines.count == 3, let code = Rejection.Code(rawValue: String(lines[0])), let limit = Int(lines[1]) else {
            return nil
        }
        return Rejection(code, String(lines[2]), limit: limit > 0 ? limit : nil)
    }
}
