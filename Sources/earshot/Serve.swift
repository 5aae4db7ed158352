import ArgumentParser
import EarshotServer

/// `earshot serve`: the server, until SIGTERM or Ctrl-C.
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Run the server until it is told to stop.")

    @OptionGroup var installation: InstallationOptions

    func run() async throws {
        try await Server(installation.configuration()).run { address in
            say("Earshot listens on \(address). Ctrl-C stops it.")
        }
    }
}

/// `earshot demo`: the server, with a brand to try.
struct Demo: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run the server with a demo brand: a shop, six agents, a manager, and a day of conversations.")

    @OptionGroup var installation: InstallationOptions

    @Flag(help: "Consumers come and agents answer, all the time. Dana's and Mira's places stay free, for you.")
    var busy = false

    @Flag(help: "Only the brand and its people: no settings, no conversations.")
    var bare = false

    func validate() throws {
        if busy, bare { throw ValidationError("A demo is busy or bare, not both.") }
    }

    func run() async throws {
        let server = try await Server(installation.configuration())
        let logins = try await server.prepareDemo()
        try await server.run(demo: bare ? nil : busy ? .busy : .quiet) { address in
            say(DemoCard(address: address, logins: logins).text)
        }
    }
}
