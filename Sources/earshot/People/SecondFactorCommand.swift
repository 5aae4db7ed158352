import ArgumentParser
import EarshotServer

/// `earshot second-factor …`: manages the second factors of the brand's people. The server may be running.
struct SecondFactorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "second-factor", abstract: "Manage the second factors with which people sign in.",
        subcommands: [RemoveSecondFactor.self])
}

/// `earshot second-factor remove`: removes the second factor of a person who lost it.
struct RemoveSecondFactor: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove the second factor of a person who lost it.",
        discussion: """
            The person's sessions end. Until the person sets up a new one, the password alone signs in: make sure that \
            it is the person who asks. If the brand requires a second factor, the next sign-in leads to the set-up.
            """)

    @OptionGroup var installation: InstallationOptions
    @Option(help: "The Brand ID.") var brand: String
    @Argument(help: "The person's e-mail address.") var email: String

    func run() async throws {
        try await installation.admin().removeSecondFactor(email: email, brand: brand)
        printLine("Removed the second factor of \(email). All sessions of \(email) have ended.")
    }
}
