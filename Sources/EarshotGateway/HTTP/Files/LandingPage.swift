import Crypto
import FoundationEssentials
import NIOCore

/// The page at `/` of the demo, with links to the front ends.
enum LandingPage {
    static let page = Page(
        bytes: ByteBuffer(string: html), gzip: nil, contentType: "text/html; charset=utf-8",
        tag: Pages.tag(of: html.utf8), isImmutable: false,
        place: .landing)

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

    private static let html = """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="robots" content="noindex">
        <link rel="icon" href="data:,">
        <title>Earshot</title>
        <style>\(style)</style>
        </head>
        <body>
        <main>
        <h1>Earshot</h1>
        <p>The server runs. Open two of these side by side.</p>
        <ul>
        <li><a href="/demo/">Demo shop<small>A shop page with the widget: write or speak as a consumer.</small></a></li>
        <li><a href="/workspace/">Agent workspace<small>Listen and answer. \
        The sign-in is in the terminal that runs the server.</small></a></li>
        <li><a href="/workspace/">Manager<small>The same workspace, with the manager's sign-in.</small></a></li>
        </ul>
        </main>
        </body>
        </html>
        """
}
