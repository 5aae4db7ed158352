import EarshotDomain
public import EarshotModel
import Foundation

/// Makes evidence bundles of conversations, for those who may export evidence.
public struct EvidenceService: Sendable {
    /// The most entries of the audit log that a bundle has.
    static let accessMaximum = 10_000

    /// What bundles are made from.
    struct Exports {
        let transcripts: TranscriptService
        let media: MediaService
    }

    private let access: ConversationAccess
    private let transcripts: TranscriptService
    private let media: MediaService
    private let accounts: any AgentStore & AuditStore
    private let signer: DocumentSigner
    private let now: @Sendable () -> Timestamp

    init(
        access: ConversationAccess, exports: Exports, accounts: any AgentStore & AuditStore, signer: DocumentSigner,
        environment: SystemEnvironment
    ) {
        self.access = access
        (transcripts, media) = (exports.transcripts, exports.media)
        self.accounts = accounts
        self.signer = signer
        now = environment.now
    }

    /// Begins a bundle of everything that a conversation has now, and writes the entry of the audit log.
    /// - Parameters:
    ///   - zone: the time zone of the transcripts that people read.
    ///   - isNoted: whether the bundle is read; `false`: only its headers are asked for.
    /// - Throws: `forbidden` without the permission, `not_found`, `bad_request` for an unknown zone, `too_large` for
    ///   recordings of more than 4 GiB.
    public func bundle(of conversation: ConversationID, zone: String, isNoted: Bool = true, for agent: AgentCaller)
        async throws -> EvidenceBundle
    {
        // First what exists for the agent: others' conversations do not, whatever the agent may export.
        _ = try await access.open(conversation, as: .agent(agent))
        try agent.require(.exportConversations)
        let transcript = try await transcripts.transcript(
            of: conversation, TranscriptWish(.html, zone: zone, hasNotes: true), isNoted: false, for: agent)
        var (recordings, sounds) = ([EvidenceManifest.Recording](), [EvidenceBundle.Sound]())
        try await transcript.forEachRecording { recorded in
            let evidence = try await media.evidence(
                of: recorded.content.media, in: conversation, of: agent.account)
            let files = evidence.files.map { EvidenceBundle.Sound(name: Self.name(of: $0, recorded), file: $0.file) }
            sounds += files
            recordings.append(EvidenceManifest.Recording(recorded, evidence.row, files: files.map(\.name)))
        }
        guard sounds.reduce(0, { $0 + $1.file.size }) <= ZipWriter.bytesMaximum,
            sounds.count <= ZipWriter.filesMaximum
        else {
            throw Rejection(.tooLarge, "The recordings of this conversation are too large for one archive.")
        }
        if isNoted {
            try await accounts.record(
                AuditEntry(
                    account: agent.account, at: now(), by: agent.id.rawValue, what: .evidenceExported,
                    conversation: conversation))
        }
        return EvidenceBundle(
            transcript, recordings: recordings, sounds: sounds,
            access: try await access(to: conversation, of: agent.account), signer: signer)
    }

    /// `audio/0003.original.webm`, `audio/0003.mp3`: the number of the event, and what the file is.
    private static func name(of file: RecordingEvidence.File, _ recorded: Transcript.Recorded) -> String {
        let number = String(recorded.event.sequence)
        let padded = String(repeating: "0", count: max(0, 4 - number.count)) + number
        return "audio/\(padded)\(file.isOriginal ? ".original" : "").\(file.container)"
    }

    private func access(to conversation: ConversationID, of account: AccountID) async throws
        -> [EvidenceManifest.Access]
    {
        var query = AuditQuery(limit: Self.accessMaximum)
        query.conversation = conversation
        let names = Dictionary(
            try await accounts.agents(of: account).map { ($0.id.rawValue, $0.name) }
        ) { first, _ in first }
        return try await accounts.audit(account, query).reversed().map { row in
            EvidenceManifest.Access(
                at: row.entry.at, by: row.entry.by, name: names[row.entry.by], what: row.entry.what,
                media: row.entry.media, detail: row.entry.detail)
        }
    }
}

extension EvidenceManifest.Recording {
    fileprivate init(_ recorded: Transcript.Recorded, _ row: RecordedMedia?, files: [String]) {
        let event = recorded.event
        self.init(
            seq: event.sequence, carrier: Carrier(event.kind), media: recorded.content.media, at: event.at,
            by: event.by,
            durationMs: recorded.content.durationMs, sha256: row.map { Hexadecimal.encode($0.sha256) },
            scan: row?.scan, files: files,
            listeners: recorded.listeners.map {
                EvidenceManifest.Listener(by: $0.by, percent: $0.percent, listened: $0.isListened)
            })
    }
}

extension EvidenceManifest.Recording.Carrier {
    fileprivate init(_ kind: Event.Kind) {
        self =
            switch kind {
            case .note: .note
            case .rated: .survey
            default: .message
            }
    }
}
