import ArgumentParser
import EarshotServer

/// `earshot serve`: runs the server until SIGTERM or Ctrl-C.
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Run the server until it is told to stop.")

    @OptionGroup var installation: InstallationOptions

    func run() async throws {
        try await withExitCodes {
            let server = try await Server(installation.configuration())
            let initialise = try await installation.command("init")
            let next = try await server.isEmpty() ? "There is no brand yet. Run: \(initialise). Then open" : "Open"
            try await server.run { address in
                printLine("Earshot listens on \(address). Ctrl-C stops it.")
                printLine("\(next) \(address)/workspace/")
            }
        }
    }
}

/// `earshot demo`: runs the server with a demo brand.
struct Demo: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run the server with a demo brand: a shop, six agents, an administrator, and a day of conversations.")

    @OptionGroup var installation: InstallationOptions

    @Flag(help: "Simulate consumers and agents all the time. Dana and Mira are not simulated: sign in as them.")
    var busy = false

    @Flag(help: "Create only the brand and its people: no settings, no conversations.")
    var bare = false

    func validate() throws {
        if busy, bare { throw ValidationError("Use --busy or --bare, not both.") }
    }

    func run() async throws {
        try await withExitCodes {
            var configuration = try await installation.configuration()
            configuration.servesDemo = true
            let server = try Server(configuration)
            let logins = try await server.prepareDemo()
            let (links, renewal) = (try server.makeDemoLinks(), try await installation.command("demo-links"))
            try await server.run(demo: bare ? nil : busy ? .busy : .quiet) { address in
                printLine(DemoBanner(address: address, logins: logins, links: links, renewal: renewal).text)
            }
        }
    }
}

/// `earshot demo-links`: makes new one-click links for the demo that runs.
struct DemoLinksCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo-links",
        abstract: "Print new links that sign in to the demo that runs, in place of those before.",
        discussion: "Each works once, within a day, in a browser on the machine that runs the demo.")

    @OptionGroup var installation: InstallationOptions

    func run() async throws {
        let (links, address) = try await installation.server().renewDemoLinks()
        printLine(DemoBanner.lines(links, at: address, renewal: try await installation.command("demo-links")))
    }
}
