import EarshotModel

/// The address in the links that a command prints.
public struct LinkAddress: Sendable, Equatable {
    /// The address, for example `https://chat.shop.example`.
    public let text: String
    /// What the reader has to know; `nil` if someone named the address, or the running server did.
    public let note: String?

    /// - Parameters:
    ///   - given: the address that the command was given; a valid one.
    ///   - isPortGiven: whether the command was given a port, which `configuration` then has.
    ///   - running: the address of the server that runs on the data folder.
    public init(given: String?, isPortGiven: Bool, configuration: ServerConfiguration, running: String?) {
        let own = configuration.ownAddress(port: configuration.port)
        var note: String?
        if let given {
            text = given
        } else if isPortGiven {
            text = own
        } else if let known = configuration.publicURL ?? running {
            text = known
        } else {
            text = own
            note = "The server does not run, so this is for \(own); --address takes another address."
        }
        self.note = note
    }

    /// Whether a text is an address like `https://chat.shop.example`, without a path.
    public static func isValid(_ text: String) -> Bool { text.wholeMatch(of: /https?:\/\/[^\s\/?#]+/) != nil }
}

/// What an operator is told about the pages that embed an app.
public enum EmbedAdvice {
    /// The line that shows the app's widget on a page.
    public static func line(address: String, brand: String, app: String) -> String {
        EmbedSnippet.html(address: address, account: AccountID(trusted: brand), app: AppID(trusted: app))
    }

    /// A sentence for each origin on which browsers do not offer the microphone.
    public static func warnings(_ origins: [String]) -> [String] {
        origins.filter { !hasMicrophone($0) }.map {
            "Note: \($0) is not HTTPS, so browsers do not offer the microphone there. Customers can write, not speak."
        }
    }

    private static func hasMicrophone(_ origin: String) -> Bool {
        guard origin.hasPrefix("http://") else { return true }
        let host = origin.dropFirst("http://".count).prefix { $0 != ":" }
        return host == "localhost" || host.hasSuffix(".localhost") || host.wholeMatch(of: /127(\.[0-9]+){3}/) != nil
    }
}
