import Crypto
import EarshotModel
import FoundationEssentials
import NIOCore

extension Pages {
    /// Reads the built front ends at start. Only paths of files that exist then are served: no request ever reaches the
    /// file system.
    /// - Throws: the error of a file that cannot be read.
    static func load(_ configuration: GatewayConfiguration, embedding: Embedding) throws -> Pages {
        let servesDemo = configuration.servesDemo
        var pages: [String: Entry] = ["/": servesDemo ? .page(LandingPage.page) : .moved("/workspace/")]
        let notFound = LandingPage.notFound(servesDemo: servesDemo)
        guard let folder = configuration.pages else {
            return Pages(entries: pages, embedding: embedding, notFound: notFound)
        }
        var refusal: RefusalPage?
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder).sorted() {
            guard servesDemo || place(of: name) != .demo, let page = try page(name, in: folder) else { continue }
            if name == refusalName {
                refusal = RefusalPage(String(buffer: page.bytes))
                continue
            }
            pages[address(of: name)] = .page(page)
            guard name.hasSuffix("/index.html") || name == "index.html" else { continue }
            let place = "/" + name.dropLast("index.html".count)
            pages[place] = .page(page)
            if place.count > 1 { pages[String(place.dropLast())] = .moved(place) }
        }
        return Pages(entries: pages, embedding: embedding, notFound: notFound, refusal: refusal)
    }

    /// The template of the page for pages that may not embed the widget. It is not served as it is.
    private static let refusalName = "widget/refused.html"

    private static func page(_ name: String, in folder: String) throws -> Page? {
        let file = folder + "/" + name
        let ending = name.split(separator: ".").last.map { $0.lowercased() } ?? ""
        guard let type = Page.types[ending], !name.split(separator: "/").contains(where: { $0.hasPrefix(".") }) else {
            return nil
        }
        let bytes = try Data(contentsOf: URL(filePath: file))
        let compressed =
            FileManager.default.fileExists(atPath: file + ".gz")
            ? try Data(contentsOf: URL(filePath: file + ".gz")) : nil
        return Page(
            bytes: ByteBuffer(bytes: bytes), gzip: compressed.map { ByteBuffer(bytes: $0) }, contentType: type,
            tag: tag(of: bytes),
            isImmutable: Page.hasHash(name.split(separator: "/").last ?? ""), place: place(of: name))
    }

    /// The path of a file. The API's description is part of the API: `schema/openapi.yaml` is `/v1/openapi.yaml`, the
    /// other files of that folder are below `/v1/schema/`.
    private static func address(of name: String) -> String {
        if name == "schema/openapi.yaml" { return "/v1/openapi.yaml" }
        return name.hasPrefix("schema/") ? "/v1/" + name : "/" + name
    }

    static func tag(of bytes: some Sequence<UInt8>) -> String {
        "\"\(Base64URL.encode(Array(SHA256.hash(data: Array(bytes)).prefix(12))))\""
    }

    private static func place(of name: String) -> Page.Place {
        switch name.split(separator: "/").first {
        case "workspace": .workspace
        case "widget": .widget
        case "demo": .demo
        case "try": .trial
        case "loader.js": .loader
        case "schema": .schema
        default: .landing
        }
    }
}
