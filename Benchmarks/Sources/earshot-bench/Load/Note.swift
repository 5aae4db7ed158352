import Foundation
import Glibc

/// A recording of speech as a browser makes it: Opus in WebM, 32 kbit/s, mono.
struct Note {
    /// The longest recording.
    static let longest = Scale.of(120, quick: 6)
    let seconds: Int
    let path: String
    let bytes: [UInt8]

    /// Makes it with espeak-ng and ffmpeg.
    init(seconds: Int = Note.longest) throws {
        let folder = try Folders.fresh("note")
        let text = (1...30).map {
            "Please call me back about order number \($0), it was not delivered, and nobody answers the telephone "
                + "today."
        }
        try text.joined(separator: "\n").write(toFile: folder + "/text", atomically: true, encoding: .utf8)
        try Program.run("/usr/bin/espeak-ng", ["-f", folder + "/text", "-w", folder + "/speech.wav"])
        let input = [
            "-v", "error", "-stream_loop", "9", "-i", folder + "/speech.wav", "-t", "\(seconds)", "-ac", "1", "-ar",
            "48000",
        ]
        try Program.run(
            "/usr/bin/ffmpeg",
            input + ["-c:a", "libopus", "-b:a", "32k", "-application", "voip", folder + "/note.webm"])
        self.seconds = seconds
        path = folder + "/note.webm"
        bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
    }

    /// Its pieces of about a second.
    var pieces: [Range<Int>] {
        let size = (bytes.count + seconds - 1) / seconds
        return stride(from: 0, to: bytes.count, by: size).map { $0..<min(bytes.count, $0 + size) }
    }
}

/// A consumer's upload of a note.
struct NoteUpload {
    private let web: WebClient
    let id: String

    init(over web: WebClient, to consumer: Consumer, draft: Int) throws {
        self.web = web
        web.headers = [("Authorization", "Bearer \(consumer.token)")]
        let name = "benchdraft" + String(format: "%012d", draft)
        let answer = try web.post("/v1/uploads", ["conversation": consumer.conversation, "draft": name]).object(
            expecting: 201)
        guard let id = answer["upload"] as? String else { throw Failure("no upload") }
        self.id = id
    }

    func send(_ piece: Range<Int>, of note: [UInt8]) throws {
        let path = "/v1/uploads/\(id)?offset=\(piece.lowerBound)"
        _ = try web.request("PATCH", path, Array(note[piece]), type: "application/octet-stream").object(expecting: 200)
    }

    /// - Returns: the media's id.
    /// - Throws: if its duration is wrong or it was not scanned.
    func finish(_ note: Note) throws -> String {
        let answer = try web.post("/v1/uploads/\(id)/finish", ["bytes": note.bytes.count]).object(expecting: 200)
        guard let ms = answer["ms"] as? Int, abs(ms - note.seconds * 1000) < 100 else {
            throw Failure("the note was played as \(answer["ms"] ?? "?") ms")
        }
        guard answer["scan"] == nil, let media = answer["media"] as? String else {
            throw Failure("the note is not scanned: \(answer)")
        }
        return media
    }
}
