import NIOCore

/// A file of the web front ends, in memory.
struct Page: Sendable {
    let bytes: ByteBuffer
    /// The same compressed, where the build made it.
    let gzip: ByteBuffer?
    let contentType: String
    /// Strong, with quotes.
    let tag: String
    /// Its name has a hash of what is in it: a browser may keep it for ever.
    let isImmutable: Bool
    let place: Place

    /// Where a page belongs: decides what it may load, who may frame it, and what it may ask of the device.
    enum Place: Hashable, Sendable {
        case workspace
        case widget
        case demo
        /// The embed script: runs on other people's pages.
        case loader
        case landing
    }
}

extension Page {
    static let types = [
        "html": "text/html; charset=utf-8", "js": "text/javascript; charset=utf-8",
        "mjs": "text/javascript; charset=utf-8",
        "css": "text/css; charset=utf-8", "svg": "image/svg+xml", "png": "image/png", "jpg": "image/jpeg",
        "webp": "image/webp",
        "ico": "image/x-icon", "woff2": "font/woff2", "json": "application/json",
        "webmanifest": "application/manifest+json",
        "txt": "text/plain; charset=utf-8", "mp3": "audio/mpeg", "wasm": "application/wasm",
    ]

    var isHTML: Bool { contentType.hasPrefix("text/html") }

    /// Whether a name ends in a hash as esbuild writes it: `workspace-4XQH2KNB.js`.
    static func hasHash(_ name: some StringProtocol) -> Bool {
        guard let dot = name.firstIndex(of: ".") else { return false }
        let stem = name[..<dot]
        guard let dash = stem.lastIndex(of: "-") else { return false }
        let hash = stem[stem.index(after: dash)...]
        return hash.utf8.count == 8 && hash.utf8.allSatisfy { (0x41...0x5a).contains($0) || (0x32...0x37).contains($0) }
    }
}
