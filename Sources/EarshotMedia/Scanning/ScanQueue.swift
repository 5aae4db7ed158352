import EarshotModel

/// Recordings whose whole file is still to be scanned, in the order in which they were finished. Each has an empty file named after it, made before its
/// first byte is taken and gone with its verdict: no restart, however sudden, forgets one.
final class ScanQueue: Sendable {
    struct Item: Sendable {
        let media: MediaID
        var tries = 0
        var notBefore: ContinuousClock.Instant?
    }

    private let folder: String
    private let items = Locked([Item]())
    private let wake: AsyncSignal
    /// Whoever waits for the recording gets it first: scanning it twice keeps two cores busy, and nobody waits for that.
    static let politeness = Duration.milliseconds(250)
    static let firstDelay = Duration.milliseconds(200)
    static let longestDelay = Duration.seconds(600)
    /// So often a scanner may refuse a recording before it is given up.
    static let mostRefusals = 6

    /// `wake`: whoever works through it.
    init(root: String, wake: AsyncSignal) throws {
        folder = root + "/scans"
        self.wake = wake
        try Folders.make(folder)
    }

    /// Remembers that it will have to be scanned. Blocks.
    func expect(_ upload: UploadID) throws {
        guard !Folders.exists(path(upload.rawValue)) else { return }
        try Folders.replace(path(upload.rawValue), with: [])
        try OpenFile(reading: folder).syncFolder()
    }

    /// It was finished, and can be scanned.
    func add(_ media: MediaID) {
        items.change { items in
            if !items.contains(where: { $0.media == media }) {
                items.append(Item(media: media, notBefore: .now + Self.politeness))
            }
        }
        wake.ring()
    }

    /// It needs no scan any more. Blocks.
    func drop(_ id: String) throws {
        items.change { items in items.removeAll { $0.media.rawValue == id } }
        try Folders.removeFile(path(id))
    }

    /// It is not tried again in this run of the server, and not forgotten.
    func rest(_ media: MediaID) {
        items.change { items in items.removeAll { $0.media == media } }
    }

    /// Whether its whole file was not scanned yet. Blocks.
    func awaits(_ media: MediaID) -> Bool {
        Folders.exists(path(media.rawValue))
    }

    /// What an earlier run of the server left. Blocks.
    func left() -> [String] {
        Folders.names(in: folder).filter(DraftKey.couldHaveMade)
    }

    /// Those whose time has come, in order.
    func due() -> [Item] {
        let now = ContinuousClock.now
        return items.value.filter { $0.notBefore.map { $0 <= now } ?? true }
    }

    /// Until the next one's time; `nil` where none has a time of its own.
    func untilNext() -> Duration? {
        let now = ContinuousClock.now
        return items.value.compactMap(\.notBefore).filter { $0 > now }.min().map { now.duration(to: $0) }
    }

    /// Tries it again later, each time later, and not all at the same moment.
    func postpone(_ item: Item) {
        let delay =
            min(Self.firstDelay * Double(1 << min(item.tries, 12)), Self.longestDelay) * Double.random(in: 0.5...1)
        items.change { items in
            guard let index = items.firstIndex(where: { $0.media == item.media }) else { return }
            items[index].tries += 1
            items[index].notBefore = .now + delay
        }
    }

    private func path(_ id: String) -> String { "\(folder)/\(id)" }
}
