import EarshotModel
import Foundation

/// An upload's files, and what is read back from them after a restart.
extension Upload {
    static func original(in folder: String) -> String { folder + "/original" }
    static func mp3(in folder: String) -> String { folder + "/voice.mp3" }
    static func record(in folder: String) -> String { folder + "/record" }
    static func about(in folder: String) -> String { folder + "/about" }
    static func refused(in folder: String) -> String { folder + "/refused" }

    /// What an earlier run of the server left; `nil` where it is none of its uploads.
    static func restored(from folder: String, scanner: Scanner?) -> Upload? {
        guard let bytes = try? Folders.contents(of: about(in: folder)),
            let about = try? JSONDecoder().decode(About.self, from: Data(bytes))
        else { return nil }
        return Upload(
            about, folder: folder, received: Folders.size(of: original(in: folder)) ?? 0, refusal: refusal(in: folder),
            scanner: scanner)
    }

    /// Keeps the answer to a refused recording.
    static func keep(_ rejection: Rejection, in folder: String) throws {
        let lines = "\(rejection.code.rawValue)\n\(rejection.limit ?? 0)\n\(rejection.text)"
        try Folders.replace(refused(in: folder), with: Array(lines.utf8))
    }

    private static func refusal(in folder: String) -> Rejection? {
        guard let bytes = try? Folders.contents(of: refused(in: folder)) else { return nil }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", maxSplits: 2)
        guard lines.count == 3, let code = Rejection.Code(rawValue: String(lines[0])), let limit = Int(lines[1]) else {
            return nil
        }
        return Rejection(code, String(lines[2]), limit: limit > 0 ? limit : nil)
    }
}
