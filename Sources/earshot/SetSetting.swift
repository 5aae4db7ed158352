import ArgumentParser
import EarshotServer

/// `earshot set …`: changes settings from the command line.
struct SetSetting: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Change a setting of a brand. A running server applies it within two seconds.",
        subcommands: [SetBrand.self])
}

/// `earshot set brand`: changes a setting of a brand.
struct SetBrand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "brand", abstract: "Change a setting of a brand.",
        discussion: """
            The change is written to the database, with an entry in the audit log (by "operator"). A server that runs \
            on the same data folder applies it, and notifies connected clients, within two seconds.

            """ + SettingsHelp.names)

    @OptionGroup var installation: InstallationOptions
    @Argument(help: "The Brand ID.") var brand: String
    @Argument(help: "The setting, for example messaging.audio.sharing.enabled.") var name: String
    @Argument(help: "The new value.") var value: String

    func run() async throws {
        let version = try await installation.admin().set(
            brand: brand, name: name, value: value)
        printLine("\(name) of \(brand) is now \(value). The settings are at version \(version).")
    }
}
