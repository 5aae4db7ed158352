import ArgumentParser
import EarshotServer

/// `earshot api-key …`: the keys with which programs read from a brand. The server may be running.
struct APIKeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "api-key", abstract: "Add, list or revoke the API keys with which programs read from a brand.",
        subcommands: [AddAPIKey.self, ListAPIKeys.self, RevokeAPIKey.self])
}

/// `earshot api-key add NAME`: makes a key.
struct AddAPIKey: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Make an API key and print it. It is printed once and stored nowhere.")

    @OptionGroup var installation: InstallationOptions
    @Option(help: "The Brand ID.") var brand: String
    @Option(
        parsing: .singleValue,
        help: "What the key allows: history.read, notes.read or recordings.read. Repeat for more scopes.")
    var scope: [String]
    @Option(help: "After how many days the key ends.") var days = APIKeyAdmin.usualDays
    @Argument(help: "The name of the program.") var name: String

    func run() async throws {
        let admin = try await installation.admin()
        printLine(try await APIKeyAdmin(admin).add(name: name, scopes: scope, days: days, brand: brand))
    }
}

/// `earshot api-key list`: lists the keys of a brand.
struct ListAPIKeys: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the API keys of a brand: id, name, scopes, begin, end, last use.")

    @OptionGroup var installation: InstallationOptions
    @Option(help: "The Brand ID.") var brand: String

    func run() async throws {
        let admin = try await installation.admin()
        try await APIKeyAdmin(admin).lines(of: brand).forEach(printLine)
    }
}

/// `earshot api-key revoke ID`: revokes a key.
struct RevokeAPIKey: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "Revoke an API key. A running server refuses its next request.")

    @OptionGroup var installation: InstallationOptions
    @Option(help: "The Brand ID.") var brand: String
    @Argument(help: "The key's id; see earshot api-key list. Write -- before an id that begins with a dash.")
    var id: String

    func run() async throws {
        let admin = try await installation.admin()
        try await APIKeyAdmin(admin).revoke(id, brand: brand)
        printLine("Revoked \(id).")
    }
}
