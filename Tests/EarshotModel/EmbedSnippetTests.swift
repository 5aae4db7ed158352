import EarshotModel
import Testing

@Suite("The line that embeds the widget")
struct EmbedSnippetTests {
    @Test("It names the server, the brand and the app, and waits for nothing on the page")
    func namesTheApp() {
        let line = EmbedSnippet.html(
            address: "https://chat.shop.example", account: AccountID(trusted: "tulip"), app: AppID(trusted: "shop"))
        #expect(line == #"<script src="https://chat.shop.example/embed/tulip/shop.js" async></script>"#)
    }

    @Test("What could end the attribute is escaped")
    func escapes() {
        let line = EmbedSnippet.html(
            address: #"https://x"><script>&"#, account: AccountID(trusted: "tulip"), app: AppID(trusted: "shop"))
        #expect(line.contains("https://x&quot;&gt;&lt;script&gt;&amp;/embed/tulip/shop.js"))
    }
}
