import ArgumentParser
import EarshotServer

/// `earshot add …`: the rows that a brand begins with. The server may run meanwhile.
struct Add: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Add a brand, an app or a person to an installation.",
        subcommands: [AddBrand.self, AddApp.self, AddPerson.self])
}

struct AddBrand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "brand", abstract: "Add a brand (an account).")

    @OptionGroup var installation: InstallationOptions
    @Argument(help: "Its Brand ID: a to z, 0 to 9 and -.") var id: String
    @Option(help: "What consumers call it.") var name: String
    @Option(help: "Its colour, #rrggbb.") var color = "#1f6f5c"
    @Option(help: "What greets a consumer who opens the widget.") var welcome = "Hi there! How can we help?"

    func run() async throws {
        try await Server(installation.configuration()).office().addBrand(
            id: id, name: name, color: color, welcome: welcome)
        say("Brand \(id) is there. Next: earshot add app, earshot add person.")
    }
}

struct AddApp: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "app", abstract: "Add a site or an app of a brand.")

    @OptionGroup var installation: InstallationOptions
    @Option(help: "The Brand ID.") var brand: String
    @Argument(help: "Its App ID: a to z, 0 to 9 and -.") var id: String
    @Option(help: "What the brand calls it.") var name: String
    @Option(
        parsing: .singleValue, help: "An origin that may embed the widget, e.g. https://shop.example. Once per origin.")
    var origin: [String]

    func run() async throws {
        try await Server(installation.configuration()).office().addApp(
            id: id, brand: brand, name: name, origins: origin)
        say("App \(id) of \(brand) is there.")
    }
}

struct AddPerson: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "person", abstract: "Add an agent or a manager. Asks for the password on standard input.")

    @OptionGroup var installation: InstallationOptions
    @Option(help: "The Brand ID.") var brand: String
    @Argument(help: "Their e-mail address: how they sign in.") var email: String
    @Option(help: "What consumers see.") var name: String
    @Flag(help: "A manager, not an agent.") var manager = false

    func run() async throws {
        guard let password = readLine(strippingNewline: true) else {
            throw ValidationError("Give the password on standard input.")
        }
        try await Server(installation.configuration()).office().addPerson(
            email: email, brand: brand, name: name, isManager: manager, password: password)
        say("\(name) can sign in as \(email).")
    }
}
