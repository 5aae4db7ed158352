import EarshotCore
import EarshotModel
import Foundation

/// Makes the events of a conversation fit to be delivered: each is a whole JSON object with its number, and none is
/// missing. In the place of a damaged or a missing one is an event of no kind, which clients count and do not show.
struct SoundEvents {
    private let conversation: ConversationID
    private let damaged: DamagedRows

    init(of conversation: ConversationID, noting damaged: DamagedRows) {
        self.conversation = conversation
        self.damaged = damaged
    }

    /// - Parameter found: what the database has between these numbers, in order.
    func complete(_ found: [StoredEvent], from first: Int, through last: Int) -> [StoredEvent] {
        guard first <= last else { return [] }
        var events: [StoredEvent] = []
        events.reserveCapacity(found.count)
        for event in found {
            while events.count < event.sequence - first { events.append(substitute(first + events.count)) }
            events.append(Self.isSound(event) ? event : substitute(event.sequence))
        }
        while events.count < last - first + 1 { events.append(substitute(first + events.count)) }
        return events
    }

    private func substitute(_ sequence: Int) -> StoredEvent {
        damaged.note(DamagedRow(table: "event", id: "\(conversation)/\(sequence)"))
        let event = Event(sequence: sequence, at: Timestamp(milliseconds: 0), by: .system, kind: .unknown)
        return StoredEvent(sequence: sequence, encoded: event.wireBytes, isSameForAll: true)
    }

    /// The members that every event has. Decoding them reads the whole object.
    private struct Envelope: Decodable {
        let n: Int
        let at: Int64
        let by: Int
    }

    private static func isSound(_ event: StoredEvent) -> Bool {
        guard String(validating: event.encoded, as: UTF8.self) != nil,
            let envelope = try? JSONDecoder().decode(Envelope.self, from: Data(event.encoded))
        else { return false }
        return envelope.n == event.sequence && envelope.by >= 0
    }
}
