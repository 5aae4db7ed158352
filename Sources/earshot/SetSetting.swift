import ArgumentParser
import EarshotServer

/// `earshot set …`: what a manager sets in the workspace, from the command line.
struct SetSetting: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Change a setting of a brand. A running server takes it over within two seconds.",
        subcommands: [SetBrand.self])
}

struct SetBrand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "brand", abstract: "Change a setting of a brand.",
        discussion: """
            The change is written to the database, with an entry in the audit log (by "operator"). A server that runs on the same data folder looks for \
            changes once a second: it is in force there, and told to everybody who is connected, within two seconds.

            """ + SettingsHelp.names)

    @OptionGroup var installation: InstallationOptions
    @Argument(help: "The Brand ID.") var brand: String
    @Argument(help: "The setting, e.g. messaging.audio.sharing.enabled.") var name: String
    @Argument(help: "Its new value.") var value: String

    func run() async throws {
        let version = try await Server(installation.configuration()).office().set(
            brand: brand, name: name, value: value)
        say("\(name) of \(brand) is \(value). Settings are at version \(version).")
    }
}
