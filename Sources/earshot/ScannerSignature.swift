import ArgumentParser
import EarshotServer

/// `earshot scanner-signature`: prints the signature with which clamd finds our canaries.
struct ScannerSignature: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scanner-signature",
        abstract: "Print the signature of Earshot's test string, for a file earshot.ndb in clamd's DatabaseDirectory.")

    func run() async throws {
        printLine(Doctor.scannerSignature)
    }
}
