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
    static let configuration = CommandConfiguration(abstract: "Run the server with a demo brand: a shop, two agents, a manager.")

    @OptionGroup var installation: InstallationOptions

    func run() async throws {
        let server = try await Server(installation.configuration())
        let logins = try await server.prepareDemo()
        try await server.run { address in say(DemoCard(address: address, logins: logins).text) }
    }
}
