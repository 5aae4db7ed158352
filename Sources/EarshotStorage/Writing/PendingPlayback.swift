import EarshotDomain
import EarshotModel

/// How far one voice message was played, as the running batch knows it.
struct PendingPlayback {
    let sequence: Int
    let author: ParticipantNumber
    let durationMs: Int
    private(set) var playedParts: [ParticipantNumber: PlayedParts]
    /// Listeners who played something new in this batch.
    private(set) var changed: Set<ParticipantNumber> = []

    init(sequence: Int, author: ParticipantNumber, durationMs: Int, playedParts: [ParticipantNumber: PlayedParts]) {
        (self.sequence, self.author, self.durationMs, self.playedParts) = (sequence, author, durationMs, playedParts)
    }

    /// - Returns: whether anything of it is new to this listener.
    mutating func play(_ spans: [PlayedSpan], to listener: ParticipantNumber) -> Bool {
        guard playedParts[listener, default: PlayedParts(durationMs: durationMs)].play(spans) else { return false }
        changed.insert(listener)
        return true
    }

    func isListened(by listener: ParticipantNumber) -> Bool { playedParts[listener]?.isListened ?? false }

    var isListenedByBrand: Bool { playedParts.contains { $0.key.isBrand && $0.value.isListened } }
}
