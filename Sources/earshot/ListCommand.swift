import ArgumentParser
import EarshotServer

/// `earshot list …`: lists what an installation has, one per line, with tabs between the columns.
struct ListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List brands, apps, people or sessions, one per line, columns divided by tabs.",
        subcommands: [ListBrands.self, ListApps.self, ListPeople.self, ListSessions.self])
}

/// `earshot list brands`.
struct ListBrands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "brands", abstract: "List the brands: id, name, active or suspended.")

    @OptionGroup var installation: InstallationOptions

    func run() async throws {
        try await installation.admin().brandLines().forEach(printLine)
    }
}

/// `earshot list apps`.
struct ListApps: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "apps", abstract: "List the apps of a brand: id, name, origins.")

    @OptionGroup var installation: InstallationOptions
    @Option(help: "The Brand ID.") var brand: String

    func run() async throws {
        try await installation.admin().appLines(of: brand).forEach(printLine)
    }
}

/// `earshot list people`.
struct ListPeople: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "people", abstract: "List the people of a brand: address, name, role, active or disabled.")

    @OptionGroup var installation: InstallationOptions
    @Option(help: "The Brand ID.") var brand: String

    func run() async throws {
        try await installation.admin().peopleLines(of: brand).forEach(printLine)
    }
}

/// `earshot list sessions EMAIL`.
struct ListSessions: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sessions", abstract: "List the sessions of a person: id, begin, end, device.")

    @OptionGroup var installation: InstallationOptions
    @Option(help: "The Brand ID.") var brand: String
    @Argument(help: "The person's e-mail address.") var email: String

    func run() async throws {
        try await installation.admin().sessionLines(of: email, brand: brand).forEach(printLine)
    }
}
