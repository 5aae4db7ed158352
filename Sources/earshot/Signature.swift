import ArgumentParser
import EarshotServer

/// `earshot scanner-signature`: the line that clamd needs to find our canaries.
struct Signature: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scanner-signature",
        abstract: "Print the signature of Earshot's test string, for a file earshot.ndb in clamd's DatabaseDirectory.")

    func run() async throws {
        say(Doctor.scannerSignature)
    }
}
