/// A small file of one container with a harmless test string in it. A scanner that finds the string looks into such
/// files; clamd finds it by the signature line that `earshot scanner-signature` prints.
///
/// Needed because ClamAV's default configuration does not look into MP3 and Ogg files, and answers `stream: OK`.
struct Canary: Sendable {
    let container: String
    let bytes: [UInt8]

    static let text = "EARSHOT-SCANNER-CANARY-7f1c2e90-HARMLESS"
    static let signatureName = "Earshot.Scanner.Canary"

    /// The line for a file NAME.ndb in clamd's DatabaseDirectory: any file type (0), at any offset (*).
    static var signature: String { "\(signatureName):0:*:" + text.utf8.map { hex($0) }.joined() }

    /// Whether the scanner found the test string. Another signature proves nothing about this container.
    static func isFound(_ reply: ScanReply) -> Bool {
        if case .infected(let name) = reply { name.hasPrefix(signatureName) } else { false }
    }

    /// One canary for each container, different each time, so that no answer comes from clamd's cache of clean files.
    static func all() -> [Canary] {
        let note = nonce() + Array(text.utf8)
        return [
            Canary(container: "webm", bytes: webm(note)), Canary(container: "ogg", bytes: ogg(note)),
            Canary(container: "mp4", bytes: mp4("M4A ", note)), Canary(container: "3gp", bytes: mp4("3gp4", note)),
            Canary(container: "mp3", bytes: taggedMP3(note)), Canary(container: "mp3", bytes: bareMP3(note)),
            Canary(container: "wav", bytes: wav(note)), Canary(container: "amr", bytes: amr("#!AMR\n", note)),
            Canary(container: "amr", bytes: amr("#!AMR-WB\n", note)), Canary(container: "caf", bytes: caf(note)),
        ]
    }

    /// A stream of `count` bytes with the test string at its end.
    static func large(_ count: Int) -> ScanSource {
        let end = nonce() + Array(text.utf8)
        return ScanSource(count: count) { wanted, offset in
            var piece = [UInt8](repeating: 0, count: min(wanted, count - offset))
            for index in piece.indices where offset + index >= count - end.count {
                piece[index] = end[offset + index - (count - end.count)]
            }
            return piece
        }
    }

    private static func nonce() -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return Array((0..<8).map { _ in hex(UInt8.random(in: .min ... .max, using: &generator)) }.joined().utf8)
    }

    private static func hex(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16)
        return byte < 16 ? "0" + digits : digits
    }
}
