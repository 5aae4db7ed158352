import ArgumentParser
import EarshotServer

/// `earshot remove …`: removes a person, an app or an empty brand. The server may be running.
struct Remove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Remove a person, an app or an empty brand.",
        subcommands: [RemovePerson.self, RemoveApp.self, RemoveBrand.self])
}

/// `earshot remove person`: takes a person out of a brand.
struct RemovePerson: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "person", abstract: "Sign a person out for good.",
        discussion: "The person can no longer sign in, and the address is free. The name stays in conversations.")

    @OptionGroup var installation: InstallationOptions
    @Option(help: "The Brand ID.") var brand: String
    @Flag(help: "Revoke the API keys that the person made.") var revokeKeys = false
    @Argument(help: "The person's e-mail address.") var email: String

    func run() async throws {
        let keys = try await installation.admin().removePerson(
            email: email, brand: brand, revokesKeys: revokeKeys)
        printLine("Removed \(email) from \(brand).")
        guard !keys.isEmpty else { return }
        if revokeKeys {
            printLine("Revoked the API keys that \(email) made:")
        } else {
            printLine(
                "API keys that \(email) made still work. To revoke one, run: earshot api-key revoke --brand \(brand) ID"
            )
        }
        for key in keys { printLine("  \(key)") }
    }
}

/// `earshot remove app`: removes an app.
struct RemoveApp: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "app", abstract: "Remove an app. Its pages can no longer embed the widget.",
        discussion: "Conversations that began there stay, and agents can answer them.")

    @OptionGroup var installation: InstallationOptions
    @Option(help: "The Brand ID.") var brand: String
    @Argument(help: "The App ID.") var id: String

    func run() async throws {
        try await installation.admin().removeApp(id: id, brand: brand)
        printLine("Removed the app \(id) of \(brand).")
    }
}

/// `earshot remove brand`: removes a brand that no consumer ever came to.
struct RemoveBrand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "brand", abstract: "Remove a brand to which no consumer ever came.",
        discussion: "A brand with conversations is not removed: suspend it instead.")

    @OptionGroup var installation: InstallationOptions
    @Argument(help: "The Brand ID.") var id: String

    func run() async throws {
        try await installation.admin().removeBrand(id: id)
        printLine("Removed the brand \(id) with its apps and people.")
    }
}
