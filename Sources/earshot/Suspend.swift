import ArgumentParser
import EarshotServer

/// `earshot suspend brand ID`: nobody of the brand works here until `earshot resume brand ID`. The server may run meanwhile.
struct Suspend: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Suspend a brand. A running server ends its connections within a second.",
        subcommands: [SuspendBrand.self])
}

struct SuspendBrand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "brand", abstract: "Suspend a brand.",
        discussion: """
            Its people are signed out and cannot sign in, its consumers are told that messages are not available. Nothing is deleted, and consumers keep \
            their conversations. The audit log has an entry (by "operator").
            """)

    @OptionGroup var installation: InstallationOptions
    @Argument(help: "The Brand ID.") var brand: String

    func run() async throws {
        try await Server(installation.configuration()).office().suspend(brand: brand, true)
        say("\(brand) is suspended. earshot resume brand \(brand) takes that back.")
    }
}

struct Resume: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Let a suspended brand work again.", subcommands: [ResumeBrand.self])
}

struct ResumeBrand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "brand", abstract: "Let a suspended brand work again.")

    @OptionGroup var installation: InstallationOptions
    @Argument(help: "The Brand ID.") var brand: String

    func run() async throws {
        try await Server(installation.configuration()).office().suspend(brand: brand, false)
        say("\(brand) works again. Its people sign in; its consumers come back with their next page.")
    }
}
