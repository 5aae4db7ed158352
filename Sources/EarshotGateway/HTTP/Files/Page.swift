import NIOCore

/// A file of the web front ends, in memory.
struct Page: Sendable {
    let bytes: ByteBuffer
    /// The same bytes compressed, where the build made them.
    let gzip: ByteBuffer?
    let contentType: String
    /// The strong entity tag, with quotes.
    let tag: String
    /// Its name has a hash of its content: a browser may keep it for ever.
    let isImmutable: Bool
    let place: Place

    /// The front end that a page belongs to. It decides what the page may load, who may frame it, and which device
    /// features it may use.
    enum Place: Hashable, Sendable {
        case workspace
        case widget
        case demo
        /// The page on which the brand's people try their own widget.
        case trial
        /// The embed script, which runs on the brand's pages.
        case loader
        case landing
        /// The description of the API, for everyone.
        case schema
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
        "yaml": "application/yaml",
        "txt": "text/plain; charset=utf-8", "mp3": "audio/mpeg", "wasm": "application/wasm",
    ]

    var isHTML: Bool { contentType.hasPrefix("text/html") }

    /// How long browsers and proxies may keep it without asking again.
    var cacheControl: String {
        if isImmutable { return "public, max-age=31536000, immutable" }
        return place == .schema ? "public, max-age=300" : "no-cache"
    }

    /// Whether a name ends in a hash as esbuild writes it: `workspace-4XQH2KNB.js`.
    static func hasHash(_ name: some StringProtocol) -> Bool {
        guard let dot = name.firstIndex(of: ".") else { return false }
        let stem = name[..<dot]
        guard let dash = stem.lastIndex(of: "-") else { return false }
        let hash = stem[stem.index(after: dash)...]
        return hash.utf8.count == 8 && hash.utf8.allSatisfy { (0x41...0x5a).contains($0) || (0x32...0x37).contains($0) }
    }
}
