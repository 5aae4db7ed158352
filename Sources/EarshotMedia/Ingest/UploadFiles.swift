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

    /// Whether an earlier version of Earshot refused the recording and kept its answer.
    var holdsRefusal: Bool { FileSystem.exists(refused) }
}
