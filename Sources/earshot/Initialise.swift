import ArgumentParser
import EarshotServer

/// `earshot init`: sets an empty installation up.
struct Initialise: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Set an empty installation up: a data folder, a brand, an app and an administrator.")

    @OptionGroup var installation: InstallationOptions
    @Option(help: "The Brand ID: a to z, 0 to 9 and -.") var brand = "main"
    @Option(help: "The brand's name, which consumers see.") var name = "My brand"
    @Option(help: "The App ID of the brand's site.") var app = "site"
    @Option(
        parsing: .singleValue,
        help: "An origin that may embed the widget, for example https://shop.example. Repeat for more origins.")
    var origin: [String] = []
    @Option(help: "The address with which the first administrator signs in.") var email = "admin@localhost"
    @OptionGroup var links: LinkOptions

    func run() async throws {
        var first = AdminService.FirstBrand()
        (first.brand, first.name, first.app) = (brand, name, app)
        (first.origins, first.email) = (origin, email)
        let folder = try await installation.configuration().data
        let admin = try await installation.admin()
        let password = try await admin.start(with: first)
        let address = try await links.resolved(installation, admin).text
        let serve = try await installation.command("serve")
        let set = try await installation.command("set app \(app) --brand \(brand) --origin https://YOUR-SITE")
        let doctor = try await installation.command("doctor")
        let add = try await installation.command("add person EMAIL --brand \(brand) --name NAME")
        let allow =
            origin.isEmpty ? "Allow your site: \(set)" : "Your site is allowed: \(origin.joined(separator: ", "))"
        let start = admin.serverAddress == nil ? "Start the server: \(serve). Then open" : "Open"
        printLine(
            """
            Set up \(folder) with the brand \(brand), the app \(app) and an administrator.

              Sign in as   \(email)
              Password     \(password)   (shown only once; change it in the workspace, or by earshot set-password)
              Brand ID     \(brand)

            Next:
              1. \(start) \(address)/workspace/
              2. \(allow)
              3. Put this line on your pages:
                   \(EmbedAdvice.line(address: address, brand: brand, app: app))
              4. Check the machine: \(doctor)
              5. Add people: \(add)
            """)
        for warning in EmbedAdvice.warnings(origin) { printLine(warning) }
    }
}
