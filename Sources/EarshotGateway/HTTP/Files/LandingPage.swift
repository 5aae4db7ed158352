import Crypto
import FoundationEssentials
import NIOCore

/// The pages that need no front end: the one at `/` of the demo, and the one at an address where nothing is.
enum LandingPage {
    /// The page at `/` of the demo, with links to the front ends.
    static let page = page(
        title: "Earshot", text: "The server runs. Open two of these side by side.",
        links: [
            Link("/demo/", "Demo shop", "A shop page with the widget: write or speak as a visitor."),
            Link(
                "/workspace/", "Agent workspace",
                "Listen and answer. The terminal that runs the server has links that sign you in."),
            Link("/workspace/", "Manager", "The same workspace, with the manager’s link."),
        ])

    /// The page of an address where nothing is.
    static func notFound(servesDemo: Bool) -> Page {
        page(
            title: "There is nothing here", text: "This address leads to no page. Check it, or go on from here.",
            links: (servesDemo ? [Link("/demo/", "Demo shop", "The shop page with the widget.")] : []) + [
                Link("/workspace/", "Workspace", "Where the brand’s people sign in and answer.")
            ])
    }

    private struct Link {
        let address: String
        let name: String
        let text: String

        init(_ address: String, _ name: String, _ text: String) {
            (self.address, self.name, self.text) = (address, name, text)
        }

        var html: String { "<li><a href=\"\(address)\">\(name)<small>\(text)</small></a></li>" }
    }

    private static func page(title: String, text: String, links: [Link]) -> Page {
        let html = """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="robots" content="noindex">
            <link rel="icon" href="data:,">
            <title>\(title)</title>
            <style>\(style)</style>
            </head>
            <body>
            <main>
            <h1>\(title)</h1>
            <p>\(text)</p>
            <ul>
            \(links.map(\.html).joined(separator: "\n"))
            </ul>
            </main>
            </body>
            </html>
            """
        return Page(
            bytes: ByteBuffer(string: html), gzip: nil, contentType: "text/html; charset=utf-8",
            tag: Pages.tag(of: html.utf8), isImmutable: false, place: .landing)
    }

    /// The hash of the only inline style that the content security policy allows.
    static let styleHash = "sha256-" + Data(SHA256.hash(data: Data(style.utf8))).base64EncodedString()

    private static let style = """
        :root{color-scheme:light dark;--ink:#1c2230;--dim:#5b6474;--ground:#fbfbfd;--line:#dfe3ea;--link:#3a4fd0}\
        @media(prefers-color-scheme:dark){\
        :root{--ink:#e8ebf2;--dim:#a2abbd;--ground:#14171f;--line:#2b303c;--link:#9fb0ff}}\
        body{margin:0;font:16px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--ground)}\
        main{max-width:32rem;margin:0 auto;padding:12vh 1.5rem}\
        h1{font-size:1.5rem;margin:0 0 .25rem}p{margin:0 0 2rem;color:var(--dim)}ul{list-style:none;margin:0;padding:0}\
        a{display:block;padding:1rem 0;border-top:1px solid var(--line);color:var(--link);\
        font-weight:600;text-decoration:none}\
        a:hover,a:focus-visible{text-decoration:underline}small{display:block;font-weight:400;color:var(--dim)}
        """
}
