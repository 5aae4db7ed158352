import EarshotModel

/// The text that the demo prints: the addresses to open, and how to sign in.
public struct DemoBanner: Sendable {
    private let address: String
    private let logins: [DemoBrand.Login]
    private let links: [DemoLink]
    private let renewal: String

    /// Creates the text for a server's address.
    /// - Parameters:
    ///   - links: empty where none would work, because browsers elsewhere reach the server.
    ///   - renewal: the command that prints new links.
    public init(address: String, logins: [DemoBrand.Login], links: [DemoLink], renewal: String) {
        (self.address, self.logins, self.links, self.renewal) = (address, logins, links, renewal)
    }

    /// The text.
    public var text: String {
        let administrator = logins.first { Permission.of($0.role).contains(.changePeople) }
        let agent = logins.first { !Permission.of($0.role).contains(.changePeople) }
        return """

            Earshot is ready. Open the shop, and beside it the workspace:

              The shop, as a customer   \(address)/demo/
            \(Self.lines(links, at: address, renewal: renewal))
            Or sign in with a password at \(address)/workspace/

              Account                   \(DemoBrand.account)
              Dana, agent               \(credentials(agent))
              Mira, administrator       \(credentials(administrator))

            Ctrl-C stops it.
            """
    }

    /// The links, a line each, and what to know of them.
    public static func lines(_ links: [DemoLink], at address: String, renewal: String) -> String {
        guard !links.isEmpty else { return "" }
        let lines = links.map { "  \($0.person.padded(to: 26))\(address)\($0.path)\n" }.joined()
        return lines + """

            Each link signs you in with one click: once, within a day, in a browser on this machine. For two people at
            a time, open one of them in a private window or in another browser. New links, in another terminal:

              \(renewal)

            """
    }

    private func credentials(_ login: DemoBrand.Login?) -> String {
        login.map { "\($0.email)  password \($0.password)" } ?? "(no such login)"
    }
}
