import EarshotCore
import EarshotDomain
import EarshotModel
import Foundation

/// What was played of voice messages.
extension BatchWriter {
    /// Counts what somebody played. Nothing of it counts for a message that is no voice message, is their own, or
    /// cannot be played by them.
    /// - Returns: whether they have listened to the whole message now, and had not before.
    func recordPlayback(
        _ played: ClientFrame.Played, by listener: ParticipantNumber, in conversation: CachedConversation
    ) throws -> Bool {
        guard var playback = try playback(of: played.sequence, by: listener, in: conversation) else { return false }
        let hadListened = playback.isListened(by: listener)
        if playback.play(played.spans, to: listener) { conversation.play(playback) }
        return playback.isListened(by: listener) && !hadListened
    }

    private func playback(of sequence: Int, by listener: ParticipantNumber, in conversation: CachedConversation) throws
        -> PendingPlayback?
    {
        guard (1...max(1, conversation.state.sequence)).contains(sequence) else { return nil }
        if let known = conversation.playback[sequence] { return known.author == listener ? nil : known }
        let body = try statements.event.first { binder in
            binder.integer(conversation.pk, at: 1)
            binder.integer(sequence, at: 2)
            binder.text(conversation.state.identity.id.rawValue, at: 3)
        } read: {
            $0.blob(0)
        }
        guard let body else { return nil }
        let id = "\(conversation.state.identity.id)/\(sequence)"
        let event: Event = try RowAccess.decode(Data(body), of: "event", id: id)
        guard let audio = event.voice(playedBy: listener), try canBePlayed(audio, in: conversation.state.identity.id)
        else { return nil }
        return PendingPlayback(
            sequence: sequence, author: event.by, durationMs: audio.durationMs,
            playedParts: try playedParts(of: sequence, audio.durationMs, in: conversation))
    }

    /// What waited for the scanner can be played by others only once it was found clean.
    private func canBePlayed(_ audio: AudioContent, in conversation: ConversationID) throws -> Bool {
        guard audio.scan == .pending else { return true }
        return try recording(audio.media, in: conversation)?.scan == .clean
    }

    private func playedParts(of sequence: Int, _ durationMs: Int, in conversation: CachedConversation) throws
        -> [ParticipantNumber: PlayedParts]
    {
        let rows = try statements.played.all { binder in
            binder.integer(conversation.pk, at: 1)
            binder.integer(sequence, at: 2)
        } read: {
            (ParticipantNumber($0.int(0)), PlayedParts(durationMs: durationMs, bits: $0.blob(1)))
        }
        return Dictionary(rows) { first, _ in first }
    }

    /// The rows of what the batch changed, once the conversation has its position.
    func writePlayback(of conversation: CachedConversation) throws {
        for playback in conversation.playback.values {
            for listener in playback.changed {
                guard let playedParts = playback.playedParts[listener] else { continue }
                try statements.savePlayed.run { binder in
                    binder.integer(conversation.pk, at: 1)
                    binder.integer(playback.sequence, at: 2)
                    binder.integer(listener.rawValue, at: 3)
                    binder.integer(playback.author.rawValue, at: 4)
                    binder.integer(conversation.position, at: 5)
                    binder.integer(playedParts.percent, at: 6)
                    binder.integer(playedParts.isListened ? 1 : 0, at: 7)
                    binder.blob(playedParts.bits, at: 8)
                }
            }
        }
    }
}
