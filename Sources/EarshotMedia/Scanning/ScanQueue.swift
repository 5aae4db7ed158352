import EarshotModel

/// The recordings whose whole file is still to be scanned, in the order in which they were finished. Each has an empty
/// marker file named after its id, created before its first byte is accepted and removed with its verdict, so that no
/// crash or restart loses one.
final class ScanQueue: Sendable {
    /// A recording that waits for its scan.
    struct Item: Sendable {
        let media: MediaID
        fileprivate(set) var tries = 0
        fileprivate(set) var notBefore: ContinuousClock.Instant?
    }

    private let folder: String
    private let items = Locked([Item]())
    private let signal: AsyncSignal
    /// Its listeners get a recording first: its two whole-file scans keep two cores busy, and no one waits for them.
    private static let initialDelay = Duration.milliseconds(250)
    private static let firstRetryDelay = Duration.milliseconds(200)
    private static let maxRetryDelay = Duration.seconds(600)
    /// How often a scanner may give no verdict before the recording is given up.
    static let maxTries = 6

    /// `signal` wakes the task that works through the queue.
    init(root: String, signal: AsyncSignal) throws {
        folder = root + "/scans"
        self.signal = signal
        try FileSystem.makeFolder(folder)
    }

    /// Saves that a recording will need a scan. Blocks.
    func expect(_ upload: UploadID) throws {
        guard !FileSystem.exists(path(upload.rawValue)) else { return }
        try FileSystem.replace(path(upload.rawValue), with: [])
        try OpenFile(reading: folder).syncFolder()
    }

    /// Queues a finished recording.
    func add(_ media: MediaID) {
        items.update { items in
            if !items.contains(where: { $0.media == media }) {
                items.append(Item(media: media, notBefore: .now + Self.initialDelay))
            }
        }
        signal.signal()
    }

    /// Removes a recording and its marker file: it has its verdict, or is gone. Blocks.
    func drop(_ id: String) throws {
        items.update { items in items.removeAll { $0.media.rawValue == id } }
        try FileSystem.removeFile(path(id))
    }

    /// Takes a recording out of the queue until the server restarts. Its marker file stays.
    func suspend(_ media: MediaID) {
        items.update { items in items.removeAll { $0.media == media } }
    }

    /// Whether a recording's whole file was not scanned yet. Blocks.
    func contains(_ media: MediaID) -> Bool {
        DraftKey.isWellFormed(media.rawValue) && FileSystem.exists(path(media.rawValue))
    }

    /// The ids of all marker files, also those that an earlier run of the server left. Blocks.
    func savedIDs() -> [String] {
        FileSystem.names(in: folder).filter(DraftKey.isWellFormed)
    }

    /// How many recordings wait for their scan.
    var count: Int { items.value.count }

    /// The recordings to scan now, in order.
    func due() -> [Item] {
        let now = ContinuousClock.now
        return items.value.filter { $0.notBefore.map { $0 <= now } ?? true }
    }

    /// How long until the next recording is due; `nil` if none waits for a time.
    func untilNext() -> Duration? {
        let now = ContinuousClock.now
        return items.value.compactMap(\.notBefore).filter { $0 > now }.min().map { now.duration(to: $0) }
    }

    /// Tries a recording again later: the delay doubles each time and is randomised.
    func postpone(_ item: Item) {
        let delay =
            min(Self.firstRetryDelay * Double(1 << min(item.tries, 12)), Self.maxRetryDelay)
            * Double.random(in: 0.5...1)
        items.update { items in
            guard let index = items.firstIndex(where: { $0.media == item.media }) else { return }
            items[index].tries += 1
            items[index].notBefore = .now + delay
        }
    }

    private func path(_ id: String) -> String { "\(folder)/\(id)" }
}
