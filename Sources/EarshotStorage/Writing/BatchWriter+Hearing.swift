import EarshotCore
import EarshotDomain
import EarshotModel
import Foundation

/// What was heard of voice messages.
extension BatchWriter {
    /// Counts what somebody played. Nothing of it counts for a message that is no voice message, is their own, or cannot be played by them.
    func hear(_ played: ClientFrame.Played, by listener: ParticipantNumber, in conversation: HotConversation) throws {
        guard var hearing = try hearing(of: played.sequence, by: listener, in: conversation) else { return }
        if hearing.play(played.spans, to: listener) { conversation.hear(hearing) }
    }

    private func hearing(of sequence: Int, by listener: ParticipantNumber, in conversation: HotConversation) throws -> HotHearing? {
        guard (1...max(1, conversation.state.sequence)).contains(sequence) else { return nil }
        if let known = conversation.hearings[sequence] { return known.author == listener ? nil : known }
        let body = try statements.event.first { binder in
            binder.integer(conversation.pk, at: 1)
            binder.integer(sequence, at: 2)
        } read: { $0.blob(0) }
        guard let body else { return nil }
        let event = try JSONDecoder().decode(Event.self, from: Data(body))
        guard let audio = event.voice(heardBy: listener), try canBePlayed(audio, in: conversation.state.identity.id) else { return nil }
        return HotHearing(
            sequence: sequence, author: event.by, durationMs: audio.durationMs,
            coverages: try coverages(of: sequence, audio.durationMs, in: conversation))
    }

    /// What waited for the scanner can be played by others only once it was found clean.
    private func canBePlayed(_ audio: AudioContent, in conversation: ConversationID) throws -> Bool {
        guard audio.scan == .pending else { return true }
        return try recording(audio.media, in: conversation)?.scan == .clean
    }

    private func coverages(of sequence: Int, _ durationMs: Int, in conversation: HotConversation) throws -> [ParticipantNumber: Coverage] {
        let rows = try statements.heard.all { binder in
            binder.integer(conversation.pk, at: 1)
            binder.integer(sequence, at: 2)
        } read: { (ParticipantNumber($0.int(0)), Coverage(durationMs: durationMs, bits: $0.blob(1))) }
        return Dictionary(rows) { first, _ in first }
    }

    /// The rows of what the batch changed, once the conversation has its position.
    func writeHearings(of conversation: HotConversation) throws {
        for hearing in conversation.hearings.values {
            for listener in hearing.changed {
                guard let coverage = hearing.coverages[listener] else { continue }
                try statements.saveHeard.run { binder in
                    binder.integer(conversation.pk, at: 1)
                    binder.integer(hearing.sequence, at: 2)
                    binder.integer(listener.rawValue, at: 3)
                    binder.integer(hearing.author.rawValue, at: 4)
                    binder.integer(conversation.position, at: 5)
                    binder.integer(coverage.percent, at: 6)
                    binder.integer(coverage.isListened ? 1 : 0, at: 7)
                    binder.blob(coverage.bits, at: 8)
                }
            }
        }
    }
}
