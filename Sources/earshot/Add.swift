import ArgumentParser
import EarshotServer

/// `earshot add …`: adds a brand, an app or a person. The server may be running.
struct Add: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Add a brand, an app or a person to an installation.",
        subcommands: [AddBrand.self, AddApp.self, AddPerson.self])
}

/// `earshot add brand`: adds a brand.
struct AddBrand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "brand", abstract: "Add a brand (an account).")

    @OptionGroup var installation: InstallationOptions
    @Argument(help: "The Brand ID: a to z, 0 to 9 and -.") var id: String
    @Option(help: "The name that consumers see.") var name: String
    @Option(help: "The widget's colour, #rrggbb.") var color = "#1f6f5c"
    @Option(help: "The greeting in the widget.") var welcome = "Hi there! How can we help?"

    func run() async throws {
        try await installation.admin().addBrand(
            id: id, name: name, color: color, welcome: welcome)
        printLine("Added the brand \(id). Next: earshot add app, earshot add person.")
    }
}

/// `earshot add app`: adds an app of a brand.
struct AddApp: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "app", abstract: "Add a site or an app of a brand.")

    @OptionGroup var installation: InstallationOptions
    @Option(help: "The Brand ID.") var brand: String
    @Argument(help: "The App ID: a to z, 0 to 9 and -.") var id: String
    @Option(help: "The brand's name for the app.") var name: String
    @Option(
        parsing: .singleValue,
        help: "An origin that may embed the widget, for example https://shop.example. Repeat for more origins.")
    var origin: [String]

    func run() async throws {
        try await installation.admin().addApp(
            id: id, brand: brand, name: name, origins: origin)
        printLine("Added the app \(id) to \(brand).")
    }
}

/// `earshot add person`: adds an agent or a manager.
struct AddPerson: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "person", abstract: "Add an agent or a manager. Reads the password from standard input.")

    @OptionGroup var installation: InstallationOptions
    @Option(help: "The Brand ID.") var brand: String
    @Argument(help: "The e-mail address to sign in with.") var email: String
    @Option(help: "The name that consumers see.") var name: String
    @Flag(help: "Add a manager instead of an agent.") var manager = false

    func run() async throws {
        let password = try PasswordPrompt.read()
        try await installation.admin().addPerson(
            email: email, brand: brand, name: name, isManager: manager, password: password)
        printLine("\(name) can sign in as \(email).")
    }
}
