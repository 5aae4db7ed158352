import ArgumentParser
import EarshotServer

/// `earshot suspend …`: suspends a brand until `earshot resume`. The server may be running.
struct Suspend: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Suspend a brand. A running server ends its connections within a second.",
        subcommands: [SuspendBrand.self])
}

/// `earshot suspend brand ID`: suspends a brand.
struct SuspendBrand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "brand", abstract: "Suspend a brand.",
        discussion: """
            The brand's people are signed out and cannot sign in. Its consumers see that messaging is not available. \
            Nothing is deleted, and consumers keep their conversations. The audit log has an entry (by "operator").
            """)

    @OptionGroup var installation: InstallationOptions
    @Argument(help: "The Brand ID.") var brand: String

    func run() async throws {
        try await installation.admin().suspend(brand: brand, true)
        printLine("Suspended \(brand). To undo this, run: earshot resume brand \(brand)")
    }
}

/// `earshot resume …`: lifts a suspension.
struct Resume: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Lift the suspension of a brand.", subcommands: [ResumeBrand.self])
}

/// `earshot resume brand ID`: lifts the suspension of a brand.
struct ResumeBrand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "brand", abstract: "Lift the suspension of a brand.")

    @OptionGroup var installation: InstallationOptions
    @Argument(help: "The Brand ID.") var brand: String

    func run() async throws {
        try await installation.admin().suspend(brand: brand, false)
        printLine("Resumed \(brand). Its people can sign in again.")
    }
}
