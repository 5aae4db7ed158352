import EarshotDomain
import EarshotModel
import EarshotTestKit
import Foundation
import Testing

@testable import EarshotCore

/// What other programs make of a bundle is tested in Tests/EndToEnd/workspace/test_evidence.py.
@Suite struct `An evidence bundle` {
    private static let made = Timestamp(milliseconds: 1_772_371_824_000)
    private static let recording = MediaID(trusted: "sound")
    private static let file = MediaFile(path: "/original", size: 9, etag: "")

    private static func signer(_ byte: UInt8 = 1) throws -> DocumentSigner {
        try DocumentSigner(seed: [UInt8](repeating: byte, count: DocumentSigner.seedBytes))
    }

    private static func bundle(_ signer: DocumentSigner) -> EvidenceBundle {
        let dana = Participant(by: .firstAgent, role: .agent, name: "Dana", id: AgentID(trusted: "dana"))
        var state = ConversationState(.sample())
        (state.sequence, state.people) = (2, [dana])
        let head = TranscriptHead(
            brand: "Tulip & Thorn", state: state,
            consumer: ConsumerCard(
                name: "Ana", app: AppID(trusted: "shop"), since: Timestamp(milliseconds: 0), page: nil, language: nil,
                device: nil),
            order: TranscriptOrder(at: made, by: "Mira", zone: "Europe/Berlin", hasNotes: true))
        let names = TranscriptNames(
            consumer: "Ana", people: [dana], skills: [:], zone: "Europe/Berlin", hasNotes: true)
        let row = EvidenceManifest.Recording(
            seq: 2, carrier: .message, media: recording, at: made, by: .consumer, durationMs: 1_000, sha256: nil,
            scan: .clean, files: ["audio/0002.original.webm"],
            listeners: [EvidenceManifest.Listener(by: .firstAgent, percent: 100, listened: true)])
        return EvidenceBundle(
            Transcript(head: head, format: .html, state: state, names: names, conversations: TwoEvents(recording)),
            recordings: [row], sounds: [EvidenceBundle.Sound(name: "audio/0002.original.webm", file: file)],
            access: [], signer: signer)
    }

    private static func written(_ signer: DocumentSigner) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        try await bundle(signer).write { file, body in
            try await body(Array("\(file.path.dropFirst())".utf8))
        } _: {
            bytes += $0
        }
        return bytes
    }

    private static func verify(_ bytes: [UInt8], _ fingerprint: String? = nil) throws -> EvidenceManifest {
        try EvidenceReader(size: bytes.count) { offset, count in
            offset < bytes.count ? Array(bytes[offset..<min(bytes.count, offset + count)]) : []
        }.verify(fingerprint: fingerprint)
    }

    @Test func `is intact as it was written, for the key that signed it`() async throws {
        let signer = try Self.signer()
        let manifest = try Self.verify(try await Self.written(signer), signer.verifier.fingerprint.uppercased())
        #expect(
            manifest.parts.map(\.name) == [
                "README.txt", "public-key.pem", "audio/0002.original.webm", "transcript.txt", "transcript.xml",
                "transcript.json", "index.html", "SHA256SUMS",
            ])
        #expect(manifest.made == "2026-03-01T13:30:24+00:00" && manifest.madeAt == Self.made)
        #expect(manifest.recordings.map(\.listeners.first?.percent) == [100])
    }

    @Test func `is named after its day where its reader is, and its conversation`() throws {
        #expect(Self.bundle(try Self.signer()).fileName.wholeMatch(of: /evidence-2026-03-01-.{1,8}\.zip/) != nil)
    }

    @Test func `is not intact if any one of its bytes was changed`() async throws {
        let bytes = try await Self.written(try Self.signer())
        for index in bytes.indices {
            var changed = bytes
            changed[index] ^= 1
            #expect(throws: EvidenceReader.Fault.self, "byte \(index)") { try Self.verify(changed) }
        }
    }

    @Test func `is not intact if it was cut off, or something was put before, into or after it`() async throws {
        let bytes = try await Self.written(try Self.signer())
        for count in [0, 1, 21, 22, 100, bytes.count - 1] {
            #expect(throws: EvidenceReader.Fault.self) { try Self.verify(Array(bytes.prefix(count))) }
            #expect(throws: EvidenceReader.Fault.self) { try Self.verify(Array(bytes.suffix(count))) }
        }
        for place in [0, bytes.count / 2, bytes.count] {
            #expect(throws: EvidenceReader.Fault.self) {
                try Self.verify(Array(bytes[..<place]) + [0] + Array(bytes[place...]))
            }
        }
    }

    @Test func `of another key is refused where its key is named`() async throws {
        let (ours, others) = (try Self.signer(), try Self.signer(2))
        let bytes = try await Self.written(others)
        #expect(try Self.verify(bytes).key == others.verifier.fingerprint)
        let fault = #expect(throws: EvidenceReader.Fault.self) {
            try Self.verify(bytes, ours.verifier.fingerprint)
        }
        #expect(fault?.description == "Another key signed it: \(others.verifier.fingerprint).")
    }

    @Test func `has the checksums that ZIP programs expect`() {
        var checksum = CRC32()
        checksum.update(Array("123456789".utf8))
        #expect(checksum.value == 0xCBF4_3926)
    }

    @Test(arguments: [
        ("2026-03-01T13:30:25+00:00", 0x5C61, 0x6BCC), ("1979-12-31T23:59:59+00:00", 0x0021, 0), ("", 0x0021, 0),
    ]) func `has times in steps of two seconds, from 1980 on`(text: String, date: UInt16, time: UInt16) {
        let made = ZipTime(text)
        #expect(made.date == date && made.time == time)
    }

    @Test func `is signed by a key of 32 bytes only`() {
        for count in [0, 31, 33] {
            #expect(throws: AdapterFailure.self) { try DocumentSigner(seed: [UInt8](repeating: 1, count: count)) }
        }
    }
}

/// A text and a voice message of the consumer, which an agent listened to.
private struct TwoEvents: ConversationReads {
    private let recording: MediaID

    init(_ recording: MediaID) {
        self.recording = recording
    }

    func page(_ conversation: ConversationID, before: Int, limit: Int) async throws(AdapterFailure) -> [StoredEvent] {
        let sound = AudioContent(media: recording, durationMs: 1_000, waveform: [], sizeBytes: 9)
        let kinds: [Event.Kind] = [.text("Hello"), .audio(sound)]
        return kinds.enumerated().map { index, kind in
            let event = Event(sequence: index + 1, at: Timestamp(milliseconds: 0), by: .consumer, kind: kind)
            let encoded = try? JSONEncoder().encode(event)
            return StoredEvent(sequence: event.sequence, encoded: Array(encoded ?? Data()), isSameForAll: true)
        }
    }

    func played(_ conversation: ConversationID, from: Int, through: Int) async throws(AdapterFailure)
        -> [MessagePlayback]
    { [] }
    func identity(of conversation: ConversationID) async throws(AdapterFailure) -> ConversationIdentity? { nil }
    func states(of conversations: [ConversationID], in account: AccountID) async throws(AdapterFailure)
        -> [ConversationID: ConversationState]
    { [:] }
    func view(_ conversation: ConversationID, after: Int?, limit: Int) async throws(AdapterFailure) -> ConversationView?
    { nil }
    func played(_ conversation: ConversationID, changedAfter position: Int64) async throws(AdapterFailure)
        -> [MessagePlayback]
    { [] }
    func tail(_ conversation: ConversationID, after: Int) -> ConversationTail? { nil }
    func inbox(_ account: AccountID, after: Int64?) async throws(AdapterFailure) -> Inbox {
        Inbox(rows: [], position: 0, continuesPosition: true)
    }
    func changedRows(of account: AccountID, after: Int64, limit: Int) async throws(AdapterFailure) -> Inbox {
        Inbox(rows: [], position: 0, continuesPosition: true)
    }
}
