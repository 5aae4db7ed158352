import Crypto
import Foundation

/// Checks an evidence bundle without a server: that the key in it signed its manifest, that the manifest names each of
/// its files with the right hash, and that the archive is, byte for byte, what Earshot writes for these files. So every
/// program that unpacks it finds the same files.
public struct EvidenceReader {
    /// What is wrong with a bundle, as a sentence for people.
    public struct Fault: Error, Hashable, CustomStringConvertible {
        /// The sentence.
        public let description: String

        init(_ description: String) {
            self.description = description
        }
    }

    /// Reads so many bytes of the archive from a place on, or fewer at its end.
    public typealias Reading = (_ offset: Int, _ count: Int) throws -> [UInt8]

    /// The most bytes of a manifest, a key and a signature, and of the list of files.
    static let memoryMaximum = 64 * 1024 * 1024
    private static let pieceBytes = 1024 * 1024

    private struct Entry {
        let name: String
        let bytes: Int
        /// Where its bytes begin.
        let start: Int
    }

    private let size: Int
    private let read: Reading

    /// Makes a reader of an archive.
    /// - Parameters:
    ///   - size: the size of the archive in bytes.
    ///   - read: reads its bytes.
    public init(size: Int, read: @escaping Reading) {
        self.size = size
        self.read = read
    }

    /// Checks the whole bundle.
    /// - Parameter fingerprint: the fingerprint of the key that must have signed it; `nil`: any key.
    /// - Returns: the manifest.
    /// - Throws: `Fault`, or what reading throws.
    public func verify(fingerprint: String?) throws -> EvidenceManifest {
        let entries = try entries()
        let (signed, signature) = (
            try content(EvidenceBundle.Name.manifest, of: entries),
            try content(EvidenceBundle.Name.signature, of: entries)
        )
        let pem = String(decoding: try content(EvidenceBundle.Name.key, of: entries), as: UTF8.self)
        guard let key = DocumentVerifier(pem: pem) else {
            throw Fault("\(EvidenceBundle.Name.key) is not an Ed25519 key.")
        }
        guard key.isValid(signature, of: signed) else {
            throw Fault("The signature is not of this manifest: the manifest, the signature or the key was changed.")
        }
        if let fingerprint, fingerprint.lowercased() != key.fingerprint {
            throw Fault("Another key signed it: \(key.fingerprint).")
        }
        guard let manifest = try? JSONDecoder().decode(EvidenceManifest.self, from: Data(signed)),
            manifest.format == EvidenceManifest.currentFormat
        else { throw Fault("The manifest is of another version of Earshot. Check it with that version.") }
        guard manifest.key == key.fingerprint else { throw Fault("The manifest names another key.") }
        try check(manifest, entries)
        return manifest
    }

    private func check(_ manifest: EvidenceManifest, _ entries: [Entry]) throws {
        let unsigned = [EvidenceBundle.Name.manifest, EvidenceBundle.Name.signature]
        guard manifest.parts.map(\.name) + unsigned == entries.map(\.name) else {
            throw Fault("The archive has other files than its manifest names.")
        }
        var zip = ZipWriter(made: ZipTime(manifest.made))
        for (index, entry) in entries.enumerated() {
            let begin = zip.begin(entry.name)
            guard try bytes(entry.start - begin.count, begin.count) == begin else { throw Self.notOurs }
            var hash = SHA256()
            for piece in stride(from: entry.start, to: entry.start + entry.bytes, by: Self.pieceBytes) {
                let bytes = try bytes(piece, min(Self.pieceBytes, entry.start + entry.bytes - piece))
                hash.update(data: bytes)
                zip.note(bytes)
            }
            if index < manifest.parts.count, Hexadecimal.encode(hash.finalize()) != manifest.parts[index].sha256 {
                throw Fault("\(entry.name) was changed.")
            }
            let end = zip.end()
            guard try bytes(entry.start + entry.bytes, end.count) == end else { throw Self.notOurs }
        }
        let list = zip.finish()
        guard try bytes(size - list.count, list.count) == list else { throw Self.notOurs }
    }

    private func content(_ name: String, of entries: [Entry]) throws -> [UInt8] {
        guard let entry = entries.first(where: { $0.name == name }), entry.bytes <= Self.memoryMaximum else {
            throw Fault("It has no \(name), or too large a one.")
        }
        return try bytes(entry.start, entry.bytes)
    }

    private func bytes(_ offset: Int, _ count: Int) throws -> [UInt8] {
        let bytes = offset < 0 ? [] : try read(offset, count)
        guard bytes.count == count else { throw Self.notOurs }
        return bytes
    }

    // MARK: The list of files

    private static let notOurs = Fault("This is not an evidence bundle, or its archive was changed or cut off.")

    /// What the archive's list says of its files. `check` compares it with the files.
    private func entries() throws -> [Entry] {
        let end = LittleEndianReader(try bytes(size - ZipFormat.endBytes, ZipFormat.endBytes))
        let listBytes = Int(end.long(12))
        guard listBytes <= Self.memoryMaximum else { throw Self.notOurs }
        let list = LittleEndianReader(try bytes(Int(end.long(16)), listBytes))
        var (entries, at, place) = ([Entry](), 0, 0)
        for _ in 0..<end.short(10) {
            guard at + ZipFormat.listHeaderBytes <= listBytes else { throw Self.notOurs }
            let (bytes, nameBytes) = (Int(list.long(at + 24)), Int(list.short(at + 28)))
            let name = at + ZipFormat.listHeaderBytes
            guard name + nameBytes <= listBytes else { throw Self.notOurs }
            place += ZipFormat.fileHeaderBytes + nameBytes
            entries.append(Entry(name: list.text(name, nameBytes), bytes: bytes, start: place))
            place += bytes + ZipFormat.sizesBytes
            at = name + nameBytes
        }
        guard place + listBytes + ZipFormat.endBytes == size else { throw Self.notOurs }
        return entries
    }
}

/// Numbers and texts in bytes; of a number, the lowest byte comes first.
private struct LittleEndianReader {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    func short(_ at: Int) -> UInt16 { UInt16(bytes[at]) | UInt16(bytes[at + 1]) << 8 }

    func long(_ at: Int) -> UInt32 { UInt32(short(at)) | UInt32(short(at + 2)) << 16 }

    func text(_ at: Int, _ count: Int) -> String { String(decoding: bytes[at..<at + count], as: UTF8.self) }
}
