import Crypto
import EarshotDomain
public import EarshotModel

/// Recorded clips of canned replies: spoken once, by whoever sets up the brand, and said in conversations as often as agents like.
///
/// A clip lies on its account's shelf. What goes into a conversation is a copy that belongs to that conversation and to the agent who says it, so that
/// everything that holds for a voice message holds for it: it is sent once, it is played by whom it was said to, and it goes when the conversation goes.
extension MediaService {
    /// Opens the upload of a new clip.
    /// - Throws: `forbidden` without the permission to change settings; `audio_off`.
    public func beginClip(_ draft: DraftID, as agent: AgentCaller) async throws -> UploadStatus {
        guard agent.may(.changeSettings) else { throw Rejection(.forbidden, "Your role does not allow this.") }
        return try await begin(draft, at: .clips(of: agent.account), as: .agent(agent))
    }

    /// What a player gets of a clip.
    public func clip(_ media: MediaID, as rendition: Rendition, for agent: AgentCaller) async throws -> MediaFile {
        let clip = try await clip(media, for: agent)
        guard let file = try await uploads.rendition(rendition, of: media, in: clip.conversation) else {
            throw Rejection.notFound
        }
        return file
    }

    /// Makes a recording of this conversation from a clip, as if the agent had just spoken it. The same draft gets the same recording again.
    /// - Throws: `audio_off`, `audio_pending` until its whole file was scanned, `upload_finished` where the draft is of another recording.
    public func copy(_ clip: MediaID, into conversation: ConversationID, draft: DraftID, as agent: AgentCaller)
        async throws -> AudioContent
    {
        let open = try await access.open(conversation, as: .agent(agent))
        try await settings.checkAudio(for: .agent(agent))
        let original = try await self.clip(clip, for: agent)
        let request = UploadRequest(
            conversation: open.id, draft: draft, author: agent.id.rawValue, limitMs: original.content.durationMs,
            at: now())
        let copy = try await uploads.copy(clip, in: original.conversation, as: request)
        return try await accounts.keep(
            RecordedMedia(copy, author: agent.id.rawValue, account: agent.account, at: now())
        ).message
    }

    /// A clip that may be played: nobody needs one that is being checked.
    private func clip(_ media: MediaID, for agent: AgentCaller) async throws -> RecordedMedia {
        guard agent.may(.readConversations),
            let clip = try await accounts.recording(media, in: .clips(of: agent.account))
        else { throw Rejection.notFound }
        switch clip.scan {
        case .clean, .unscanned: return clip
        case .blocked: throw Rejection(.audioBlocked, "This recording held something harmful.")
        case .failed: throw Rejection(.audioFailed, "This recording could not be checked. Please record it again.")
        case .pending: throw Rejection(.audioPending, "This recording is being checked.")
        }
    }
}

extension ConversationID {
    /// Where an account's clips lie, in place of a conversation. A conversation's own id is shorter: nobody can begin one there, and so nobody can open it.
    public static func clips(of account: AccountID) -> ConversationID {
        ConversationID(
            trusted:
                "clips-\(ConversationID(random: Array(SHA256.hash(data: Array(account.rawValue.utf8)).prefix(16))))")
    }
}
