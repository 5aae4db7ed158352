import ArgumentParser
import EarshotServer

/// `earshot set …`: changes settings and apps from the command line.
struct SetSetting: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Change a setting of a brand, or an app. A running server applies it within two seconds.",
        subcommands: [SetBrand.self, SetApp.self])
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
        let suffix = version.map { " The settings are at version \($0)." } ?? ""
        printLine("\(name) of \(brand) is now \(value)." + suffix)
    }
}

/// `earshot set app`: changes an app.
struct SetApp: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "app", abstract: "Change the name of an app, or the origins that may embed it.")

    @OptionGroup var installation: InstallationOptions
    @Option(help: "The Brand ID.") var brand: String
    @Argument(help: "The App ID.") var id: String
    @Option(help: "The brand's new name for the app.") var name: String?
    @Option(
        parsing: .singleValue,
        help: "An origin that may embed the widget. Repeat for more origins; all of them replace the old ones.")
    var origin: [String] = []
    @Option(parsing: .singleValue, help: "A further origin that may embed the widget. Repeat for more origins.")
    var addOrigin: [String] = []

    func validate() throws {
        if name == nil, origin.isEmpty, addOrigin.isEmpty {
            throw ValidationError("Write --name, --origin or --add-origin.")
        }
    }

    func run() async throws {
        try await installation.admin().setApp(
            id: id, brand: brand, name: name, origins: origin.isEmpty ? nil : origin, adding: addOrigin)
        printLine("Changed the app \(id) of \(brand).")
        for warning in EmbedAdvice.warnings(origin) { printLine(warning) }
    }
}
