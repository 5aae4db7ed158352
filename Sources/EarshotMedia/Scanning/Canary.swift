/// A small head of each container with our test string in it: what finds the string there looks into such files. It is no malware, and no other program
/// knows it; clamd finds it by the signature line that `earshot scanner-signature` prints.
///
/// Needed because ClamAV, as it comes, looks into no MP3 and no Ogg, and answers `stream: OK`.
struct Canary: Sendable {
    let container: String
    let bytes: [UInt8]

    static let text = "EARSHOT-SCANNER-CANARY-7f1c2e90-HARMLESS"
    static let signatureName = "Earshot.Scanner.Canary"

    /// A line for a file NAME.ndb in clamd's DatabaseDirectory: any type of file (0), at any place (*).
    static var signature: String { "\(signatureName):0:*:" + text.utf8.map { hex($0) }.joined() }

    /// Whether this answer says that our string was found. Any other hit proves nothing: something else was seen in the head.
    static func isFound(_ reply: ScanReply) -> Bool {
        if case .found(let name) = reply { name.hasPrefix(signatureName) } else { false }
    }

    /// One for each container, never the same twice, so that no answer comes from clamd's memory of clean files.
    static func all() -> [Canary] {
        let note = mark() + Array(text.utf8)
        return [
            Canary(container: "webm", bytes: webm(note)), Canary(container: "ogg", bytes: ogg(note)),
            Canary(container: "mp4", bytes: mp4("M4A ", note)), Canary(container: "3gp", bytes: mp4("3gp4", note)),
            Canary(container: "mp3", bytes: taggedMP3(note)), Canary(container: "mp3", bytes: bareMP3(note)),
            Canary(container: "wav", bytes: wav(note)), Canary(container: "amr", bytes: amr("#!AMR\n", note)),
            Canary(container: "amr", bytes: amr("#!AMR-WB\n", note)), Canary(container: "caf", bytes: caf(note)),
        ]
    }

    /// As many bytes as a recording may have, and our string at their end.
    static func large(_ count: Int) -> ScanSource {
        let end = mark() + Array(text.utf8)
        return ScanSource(count: count) { wanted, offset in
            var piece = [UInt8](repeating: 0, count: min(wanted, count - offset))
            for index in piece.indices where offset + index >= count - end.count {
                piece[index] = end[offset + index - (count - end.count)]
            }
            return piece
        }
    }

    private static func mark() -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return Array((0..<8).map { _ in hex(UInt8.random(in: .min ... .max, using: &generator)) }.joined().utf8)
    }

    private static func hex(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16)
        return byte < 16 ? "0" + digits : digits
    }
}
