/// The line of HTML that a brand puts on its pages to show the launcher of one of its apps.
public enum EmbedSnippet {
    /// The path of an app's script on this server.
    public static func path(account: AccountID, app: AppID) -> String { "/embed/\(account)/\(app).js" }

    /// The line.
    /// - Parameter address: the server's public address without a slash at the end: `https://chat.shop.example`.
    public static func html(address: String, account: AccountID, app: AppID) -> String {
        "<script src=\"\(escaped(address + path(account: account, app: app)))\" async></script>"
    }

    /// Escapes text for HTML, in an element and in an attribute with double quotes.
    public static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\"", with: "&quot;")
    }
}
