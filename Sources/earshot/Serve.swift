import ArgumentParser
import EarshotServer

/// `earshot serve`: runs the server until SIGTERM or Ctrl-C.
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Run the server until it is told to stop.")

    @OptionGroup var installation: InstallationOptions

    func run() async throws {
        try await withExitCodes {
            try await Server(installation.configuration()).run { address in
                printLine("Earshot listens on \(address). Ctrl-C stops it.")
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
            try await server.run(demo: bare ? nil : busy ? .busy : .quiet) { address in
                printLine(DemoBanner(address: address, logins: logins).text)
            }
        }
    }
}
