/// The line that a brand puts on its pages to show the widget.
public enum EmbedSnippet {
    /// - Parameter address: the server's address, without a slash at the end.
    public static func line(address: String, account: AccountID, app: AppID) -> String {
        "<script src=\"\(address)/embed/\(account)/\(app).js\" async></script>"
    }
}
