import EarshotCore
import EarshotModel
import Foundation
import Synchronization

/// What the scanner has to do with recordings. The methods that say so block.
extension MediaStore {
    /// Makes an upload's folder. That it will have to be scanned is on disk before its first byte is. Blocks.
    func create(_ upload: Upload) throws {
        try scans?.expect(upload.about.upload)
        try upload.create()
    }

    /// Blocks.
    func remove(_ upload: Upload) throws {
        try upload.remove()
        try scans?.drop(upload.about.upload.rawValue)
    }

    /// Throws why, always, where the upload was still there. Blocks.
    func refuse(_ upload: Upload, _ rejection: Rejection) throws {
        defer { try? scans?.drop(upload.about.upload.rawValue) }
        try upload.refuse(rejection)
    }

    /// Where the scanner stands with an upload of `bytes` bytes that was just decoded. Not clean unless every byte was seen, by a scanner that is proven
    /// for this container.
    func scanState(of upload: Upload, _ bytes: Int, _ container: String) async -> ScanState {
        guard let scanner, let scan = upload.scan else { return .unscanned }
        let outcome = await scan.outcome()
        if case .found = outcome.reply { return .blocked }
        return outcome == RecordingScan.Outcome(bytes: bytes, reply: .clean) && scanner.health.sees(container)
            ? .clean : .pending
    }

    /// Puts a decoded recording where finished ones lie, or keeps nothing of it.
    func keep(_ upload: Upload, _ record: RecordedMedia) async throws {
        if record.scan == .blocked { return try await BlockingPool.run { try self.refuse(upload, .audioBlocked) } }
        let target = folders.media(upload.about.upload.rawValue)
        try await BlockingPool.run { try upload.publish(record, to: target) }
        forget(upload)
        scans?.add(record.content.media)
    }

    /// Whether its own bytes, or packets of them, may go out: nobody gets those before the whole file was scanned.
    func checkScannedWhole(_ media: MediaID) async throws {
        guard let scans, try await BlockingPool.run({ scans.awaits(media) }) else { return }
        throw Rejection(.audioPending, "This voice message is being checked.")
    }

    /// Whether its whole file was scanned and found clean.
    func isScannedWhole(_ media: MediaID) async throws -> Bool {
        guard let record = try await record(of: UploadID(trusted: media.rawValue)), record.scan == .clean else {
            return false
        }
        return try await BlockingPool.run { [self] in scans?.awaits(media) == false }
    }

    // MARK: For the backlog

    /// Queues what an earlier run of the server had not scanned, in the order in which it was finished.
    func queueLeftScans() async throws {
        try await BlockingPool.run { [self] in
            guard let scans else { return }
            var finished: [(media: MediaID, at: Int64)] = []
            for id in scans.left() {
                if let at = Folders.written(Upload.record(in: folders.media(id))) {
                    finished.append((MediaID(trusted: id), at))
                } else if open.withLock({ $0[UploadID(trusted: id)]?.isRefused.load(ordering: .relaxed) ?? true }) {
                    try Folders.remove(folders.media(id))
                    try scans.drop(id)
                }
            }
            for one in finished.sorted(by: { $0.at < $1.at }) { scans.add(one.media) }
        }
    }

    /// Its whole file was scanned, or never will be. Blocks.
    func scanned(_ record: RecordedMedia, _ scan: ScanState) throws {
        var record = record
        if record.scan != scan {
            record.scan = scan
            try Folders.replace(
                Upload.record(in: folders.media(record.content.media.rawValue)),
                with: Array(JSONEncoder().encode(record)))
        }
        try scans?.drop(record.content.media.rawValue)
    }

    /// It holds something harmful: all its files go. Blocks.
    func banish(_ media: MediaID) throws {
        try Folders.remove(folders.media(media.rawValue))
        try scans?.drop(media.rawValue)
    }
}
