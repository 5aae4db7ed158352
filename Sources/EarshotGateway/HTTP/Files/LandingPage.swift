import Crypto
import FoundationEssentials
import NIOCore

/// The pages that need no front end: the one at `/` of the demo, and the one at an address where nothing is.
enum LandingPage {
    /// The page at `/` of the demo, with links to the front ends.
    static let page = page(
        title: "The server runs", text: "Open two of these side by side.",
        links: [
            Link("/demo/", "Demo shop", "A shop page with the widget: write or speak as a customer."),
            Link(
                "/workspace/", "Agent workspace",
                "Listen and answer. The terminal that runs the server has links that sign you in."),
            Link("/workspace/", "Administrator", "The same workspace, with Mira’s link."),
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
            <article>
            <header>\(logo) Earshot</header>
            <h1>\(title)</h1>
            <p>\(text)</p>
            <ul>
            \(links.map(\.html).joined(separator: "\n"))
            </ul>
            </article>
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

    /// The colours of the sign-in page.
    private static let style = """
        :root{color-scheme:light dark;--ink:#17201d;--soft:#4a5652;--page:#f3f4f1;--card:#fff;--line:#dde2de;\
        --link:#0f6a5b}\
        @media(prefers-color-scheme:dark){\
        :root{--ink:#edf2ef;--soft:#b6c1bc;--page:#0f1413;--card:#1f2624;--line:#2c3532;--link:#62cdb8}}\
        *{box-sizing:border-box}\
        body{margin:0;font:16px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--page)}\
        main{display:grid;place-items:center;min-height:100vh;padding:1rem}\
        article{width:min(26rem,100%);padding:2rem;border:1px solid var(--line);border-radius:20px;\
        background:var(--card)}\
        header{display:flex;align-items:center;gap:10px;font-weight:700}svg{width:28px;height:28px}\
        h1{font-size:1.375rem;line-height:1.25;margin:1.5rem 0 .25rem}p{margin:0 0 1.25rem;color:var(--soft)}\
        ul{list-style:none;margin:0;padding:0}\
        a{display:block;padding:.75rem 0;border-top:1px solid var(--line);color:var(--link);\
        font-weight:600;text-decoration:none}\
        a:hover,a:focus-visible{text-decoration:underline}small{display:block;font-weight:400;color:var(--soft)}
        """

    private static let logo = """
        <svg viewBox="0 0 24 24" aria-hidden="true"><rect x="1" y="1" width="22" height="22" rx="7" fill="#0f6a5b"/>\
        <path d="M6 11v2M9 8.5v7M12 6v12M15 9v6M18 11v2" fill="none" stroke="#fff" stroke-width="1.8" \
        stroke-linecap="round"/></svg>
        """
}
