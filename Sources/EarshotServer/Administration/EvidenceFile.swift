import EarshotCore
import Foundation

/// An evidence bundle in a file.
public struct EvidenceFile {
    private let path: String

    /// Names a file.
    public init(path: String) {
        self.path = path
    }

    /// What a check found, as lines for people.
    public struct Check: Sendable {
        /// Whether the bundle is what was signed.
        public let isIntact: Bool
        /// The result; for an intact bundle also when, for whom and by which key it was made.
        public let lines: [String]
    }

    /// Checks the bundle. Needs no installation.
    /// - Parameter fingerprint: the fingerprint of the key that must have signed it; `nil`: any key.
    /// - Throws: `AdminService.InvalidInput` if the file cannot be read.
    public func check(fingerprint: String?) throws -> Check {
        do {
            let manifest = try verify(fingerprint)
            let lines = [
                "intact, files: \(manifest.parts.count), recordings: \(manifest.recordings.count)",
                "made \(manifest.made) for \(manifest.madeFor), brand: \(manifest.brand)",
                "signed by the key \(manifest.key)",
            ]
            let hint = "Compare this key with the one that \"earshot evidence key\" prints on the server."
            return Check(isIntact: true, lines: fingerprint == nil ? lines + [hint] : lines)
        } catch let fault as EvidenceReader.Fault {
            return Check(isIntact: false, lines: ["NOT INTACT: \(fault)"])
        }
    }

    private func verify(_ fingerprint: String?) throws -> EvidenceManifest {
        guard let file = FileHandle(forReadingAtPath: path), let size = try? file.seekToEnd() else {
            throw AdminService.InvalidInput(description: "\(path) cannot be read.")
        }
        defer { try? file.close() }
        return try EvidenceReader(size: Int(size)) { offset, count in
            try file.seek(toOffset: UInt64(offset))
            return Array(try file.read(upToCount: count) ?? Data())
        }.verify(fingerprint: fingerprint)
    }
}
