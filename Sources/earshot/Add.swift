public import ArgumentParser
public import EarshotServer

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
    @Option(help: "The e-mail address of the first administrator, who gets a link to join.") var administrator: String?
    @OptionGroup var links: LinkOptions

    func run() async throws {
        let admin = try await installation.admin()
        try await admin.addBrand(id: id, name: name, color: color, welcome: welcome)
        printLine("Added the brand \(id). Next: earshot add app\(administrator == nil ? ", earshot add person" : "").")
        guard let administrator else { return }
        let path = try await admin.invitePerson(
            email: administrator, brand: id, name: "Administrator", profile: .administrator)
        try await links.printLink(path, for: administrator, installation, admin)
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
    @OptionGroup var links: LinkOptions

    func run() async throws {
        let admin = try await installation.admin()
        try await admin.addApp(id: id, brand: brand, name: name, origins: origin)
        printLine("Added the app \(id) to \(brand).")
        for warning in EmbedAdvice.warnings(origin) { printLine(warning) }
        let address = try await links.resolved(installation, admin)
        if let note = address.note { printLine(note) }
        let line = EmbedAdvice.line(address: address.text, brand: brand, app: id)
        printLine("Put this line on its pages:\n\n  \(line)\n")
    }
}

/// `earshot add person`: adds an agent, a manager or an administrator.
struct AddPerson: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "person",
        abstract: "Add a person of a brand. Reads the password from standard input, or prints a link to join.")

    @OptionGroup var installation: InstallationOptions
    @Option(help: "The Brand ID.") var brand: String
    @Argument(help: "The e-mail address to sign in with.") var email: String
    @Option(help: "The name that consumers see.") var name: String
    @Flag(help: "What the person may do; the workspace says more, under Settings > Profiles.")
    var profile: NewPersonProfile = .agent
    @Flag(help: "Print a link with which the person sets the password, once, within seven days.") var link = false
    @OptionGroup var links: LinkOptions

    func run() async throws {
        if link {
            let admin = try await installation.admin()
            let path = try await admin.invitePerson(email: email, brand: brand, name: name, profile: profile)
            return try await links.printLink(path, for: name, installation, admin)
        }
        let password = try PasswordPrompt.read()
        try await installation.admin().addPerson(
            email: email, brand: brand, name: name, profile: profile, password: password)
        printLine("\(name) can sign in as \(email).")
    }
}

extension NewPersonProfile: EnumerableFlag {}

/// `earshot password-link`: makes a link for a person who forgot the password.
struct MakePasswordLink: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "password-link",
        abstract: "Print a link with which a person sets a new password, once, within a day.")

    @OptionGroup var installation: InstallationOptions
    @Option(help: "The Brand ID.") var brand: String
    @Argument(help: "The e-mail address of the person.") var email: String
    @OptionGroup var links: LinkOptions

    func run() async throws {
        let admin = try await installation.admin()
        let path = try await admin.passwordLink(email: email, brand: brand)
        try await links.printLink(path, for: email, installation, admin)
    }
}

extension LinkOptions {
    /// Prints the address of a page on which a person sets the password.
    fileprivate func printLink(
        _ path: String, for person: String, _ installation: InstallationOptions, _ admin: AdminService
    ) async throws {
        let address = try await resolved(installation, admin)
        if let note = address.note { printLine(note) }
        printLine("Give this link to \(person) only. It works once, and is not shown again:")
        printLine(address.text + path)
    }
}
