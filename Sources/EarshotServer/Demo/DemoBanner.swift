import EarshotModel

/// The text that the demo prints: the addresses to open, and how to sign in.
public struct DemoBanner: Sendable {
    let address: String
    let logins: [DemoBrand.Login]

    /// Creates the text for a server's address.
    public init(address: String, logins: [DemoBrand.Login]) {
        self.address = address
        self.logins = logins
    }

    /// The text.
    public var text: String {
        let administrator = logins.first { Permission.of($0.role).contains(.changePeople) }
        let agent = logins.first { !Permission.of($0.role).contains(.changePeople) }
        return """

            Earshot is ready. Open these three in a browser:

              The shop, as a consumer   \(address)/demo/
              The workspace, as Dana    \(address)/workspace/    \(credentials(agent))
              … as the administrator    \(address)/workspace/    \(credentials(administrator))

            Ctrl-C stops it.
            """
    }

    private func credentials(_ login: DemoBrand.Login?) -> String {
        login.map { "\($0.email)  password \($0.password)" } ?? "(no such login)"
    }
}
