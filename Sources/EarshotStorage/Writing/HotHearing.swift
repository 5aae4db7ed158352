import EarshotDomain
import EarshotModel

/// How far one voice message was heard, as the running batch knows it.
struct HotHearing {
    let sequence: Int
    let author: ParticipantNumber
    let durationMs: Int
    private(set) var coverages: [ParticipantNumber: Coverage]
    /// Listeners who heard something new in this batch.
    private(set) var changed: Set<ParticipantNumber> = []

    init(sequence: Int, author: ParticipantNumber, durationMs: Int, coverages: [ParticipantNumber: Coverage]) {
        (self.sequence, self.author, self.durationMs, self.coverages) = (sequence, author, durationMs, coverages)
    }

    /// - Returns: whether anything of it is new to this listener.
    mutating func play(_ spans: [PlayedSpan], to listener: ParticipantNumber) -> Bool {
        guard coverages[listener, default: Coverage(durationMs: durationMs)].play(spans) else { return false }
        changed.insert(listener)
        return true
    }

    var isListenedByBrand: Bool { coverages.contains { $0.key.isBrand && $0.value.isListened } }
}
