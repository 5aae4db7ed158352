import Foundation
import Glibc

/// A recording of speech as a browser makes it: Opus in WebM, 32 kbit/s, mono.
enum Note {
    static let seconds = 120

    /// Made once per run, by espeak-ng and ffmpeg.
    static func make() throws -> (path: String, bytes: [UInt8]) {
        let folder = try Folders.fresh("note")
        let text = (1...30).map { "Please call me back about order number \($0), it was not delivered, and nobody answers the telephone today." }
        try text.joined(separator: "\n").write(toFile: folder + "/text", atomically: true, encoding: .utf8)
        try Program.run("/usr/bin/espeak-ng", ["-f", folder + "/text", "-w", folder + "/speech.wav"])
        let input = ["-v", "error", "-stream_loop", "9", "-i", folder + "/speech.wav", "-t", "\(seconds)", "-ac", "1", "-ar", "48000"]
        try Program.run("/usr/bin/ffmpeg", input + ["-c:a", "libopus", "-b:a", "32k", "-application", "voip", folder + "/note.webm"])
        let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: folder + "/note.webm")))
        return (folder + "/note.webm", bytes)
    }

    /// A consumer's upload of it.
    static func begin(_ web: WebClient, draft: Int) throws -> String {
        let consumer = try Consumer.make(over: web)
        web.headers = [("Authorization", "Bearer \(consumer.token)")]
        let name = "benchdraft" + String(format: "%012d", draft)
        guard let id = try web.post("/v1/uploads", ["conversation": consumer.conversation, "draft": name]).object(expecting: 201)["upload"] as? String
        else { throw Failure("no upload") }
        return id
    }
}
