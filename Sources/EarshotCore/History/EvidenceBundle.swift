import Crypto
import EarshotDomain
import EarshotModel
import Foundation

/// An evidence bundle that is written piece by piece: a ZIP archive with the whole conversation in every form, its
/// recordings, a page to read and to listen without a server, and a signed manifest.
public struct EvidenceBundle: Sendable {
    /// Reads a file in pieces.
    public typealias FileReading =
        @Sendable (_ file: MediaFile, _ body: ([UInt8]) async throws -> Void) async throws -> Void

    /// The names of files in every bundle.
    public enum Name {
        /// The manifest.
        public static let manifest = "manifest.json"
        /// The signature of the manifest's bytes, 64 bytes.
        public static let signature = "manifest.sig"
        /// The key that verifies the signature, in PEM.
        public static let key = "public-key.pem"
        static let page = "index.html"
        static let read = "README.txt"
        static let hashes = "SHA256SUMS"
        static let transcript = "transcript"
    }

    /// A file of a recording, and its name in the bundle.
    struct Sound {
        let name: String
        let file: MediaFile
    }

    private let transcript: Transcript
    private let recordings: [EvidenceManifest.Recording]
    private let sounds: [Sound]
    private let access: [EvidenceManifest.Access]
    private let signer: DocumentSigner

    init(
        _ transcript: Transcript, recordings: [EvidenceManifest.Recording], sounds: [Sound],
        access: [EvidenceManifest.Access], signer: DocumentSigner
    ) {
        self.transcript = transcript
        self.recordings = recordings
        self.sounds = sounds
        self.access = access
        self.signer = signer
    }

    /// The name of the archive: `evidence-2026-11-23-jsqeYsIx.zip`, by the day in the reader's zone.
    public var fileName: String {
        "evidence-\(Zone.iso8601(head.made, in: head.zone).prefix(10))-\(head.conversation.id.rawValue.prefix(8)).zip"
    }

    private var head: TranscriptHead { transcript.head }
    private var madeUTC: String { Zone.iso8601(head.made, in: "UTC") }

    /// Writes the whole archive.
    /// - Parameters:
    ///   - read: reads a recording's file.
    ///   - write: takes the next piece.
    public func write(reading read: @escaping FileReading, _ write: ([UInt8]) async throws -> Void) async throws {
        let archive = HashedArchive(made: ZipTime(madeUTC))
        try await write(archive.file(Name.read, Array(readMe.utf8)))
        try await write(archive.file(Name.key, Array(signer.verifier.pem.utf8)))
        for sound in sounds {
            try await write(archive.begin(sound.name))
            try await read(sound.file) { try await write(archive.piece($0)) }
            try await write(archive.end())
        }
        let recorded = Dictionary(recordings.map { ($0.media, $0.files) }) { first, _ in first }
        let forms = [TranscriptFormat.text, .xml, .json].map { ("\(Name.transcript).\($0.rawValue)", $0.writer(head)) }
        for (name, writer) in forms + [(Name.page, HTMLTranscript(head, recordings: recorded))] {
            try await write(archive.begin(name))
            try await transcript.write(with: writer) { try await write(archive.piece(Array($0.utf8))) }
            try await write(archive.end())
        }
        let hashes = archive.parts.map { "\($0.sha256)  \($0.name)\n" }.joined()
        try await write(archive.file(Name.hashes, Array(hashes.utf8)))
        let manifest = try json(manifest(archive.parts))
        try await write(archive.file(Name.manifest, manifest))
        try await write(archive.file(Name.signature, signer.signature(of: manifest)))
        try await write(archive.finish())
    }

    private func manifest(_ parts: [EvidenceManifest.Part]) -> EvidenceManifest {
        EvidenceManifest(
            format: EvidenceManifest.currentFormat, version: EarshotVersion.current, made: madeUTC, madeAt: head.made,
            madeFor: head.madeFor, brand: head.brand,
            conversation: EvidenceManifest.Conversation(
                id: head.conversation.id, app: head.conversation.app, channel: head.conversation.channel,
                status: head.status, through: head.through),
            consumer: head.consumer,
            agents: transcript.people.map {
                EvidenceManifest.Person(by: $0.by, id: $0.id, name: $0.name, role: $0.role)
            },
            recordings: recordings, access: access, parts: parts, key: signer.verifier.fingerprint)
    }

    private func json(_ value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
        return Array(try encoder.encode(value))
    }

    private var readMe: String {
        """
        Evidence of one conversation, made by Earshot \(EarshotVersion.current) on \(madeUTC).

        To read and to listen, unpack the archive and open \(Name.page) in a browser. It needs no server.

        audio/          the recordings: as they were uploaded (original), and as they were played
        \(Name.transcript).*    the conversation as text, XML and JSON
        \(Name.manifest)   who heard and who exported what, and the SHA-256 of each file
        \(Name.signature)    the Ed25519 signature of \(Name.manifest)
        \(Name.key)  the key that verifies it

        To check that nothing was changed, with Earshot and without a server:

            earshot evidence verify FILE.zip --key FINGERPRINT

        Without Earshot, in the unpacked folder:

            openssl pkeyutl -verify -pubin -inkey \(Name.key) -rawin -in \(Name.manifest) -sigfile \(Name.signature)
            sha256sum --check \(Name.hashes)

        Anyone who changes a bundle can sign it with another key. Compare the key's fingerprint with the one that the
        brand's operator reads with "earshot evidence key":

            \(signer.verifier.fingerprint)

        """
    }
}

/// An archive that is written in one pass, with the hash of each of its files. Each method returns the bytes to write.
private final class HashedArchive {
    private(set) var parts: [EvidenceManifest.Part] = []
    private var zip: ZipWriter
    private var name = ""
    private var hash = SHA256()
    private var size = 0

    init(made: ZipTime) {
        zip = ZipWriter(made: made)
    }

    func file(_ name: String, _ bytes: [UInt8]) -> [UInt8] {
        begin(name) + piece(bytes) + end()
    }

    func begin(_ name: String) -> [UInt8] {
        (self.name, hash, size) = (name, SHA256(), 0)
        return zip.begin(name)
    }

    /// The next piece of the file that was begun last.
    func piece(_ bytes: [UInt8]) -> [UInt8] {
        hash.update(data: bytes)
        size += bytes.count
        zip.note(bytes)
        return bytes
    }

    func end() -> [UInt8] {
        parts.append(EvidenceManifest.Part(name: name, bytes: size, sha256: Hexadecimal.encode(hash.finalize())))
        return zip.end()
    }

    func finish() -> [UInt8] { zip.finish() }
}
