import ArgumentParser
import EarshotServer

/// `earshot evidence …`: works with evidence bundles.
struct EvidenceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "evidence", abstract: "Check evidence bundles.",
        subcommands: [VerifyEvidence.self, EvidenceKey.self])
}

/// `earshot evidence verify FILE`.
struct VerifyEvidence: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Check that nothing in an evidence bundle was changed.",
        discussion: """
            Needs no server and no data folder. Anyone who changes a bundle can sign it again with another key: \
            name the fingerprint that "earshot evidence key" prints on the server with --key. The command ends with \
            status 1 if the bundle is not intact.
            """)

    @Argument(help: "The bundle, a ZIP file.") var file: String
    @Option(help: "The fingerprint of the key that must have signed it.") var key: String?

    func validate() throws {
        if let key, key.wholeMatch(of: /[0-9A-Fa-f]{64}/) == nil {
            throw ValidationError("--key must be 64 hexadecimal digits.")
        }
    }

    func run() throws {
        let check = try EvidenceFile(path: file).check(fingerprint: key)
        for line in check.lines { printLine(line) }
        guard check.isIntact else { throw ExitCode.failure }
    }
}

/// `earshot evidence key`.
struct EvidenceKey: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key", abstract: "Print the fingerprint of the key that signs evidence bundles and receipts.")

    @OptionGroup var installation: InstallationOptions

    func run() async throws {
        printLine(try await installation.server().signingKeyFingerprint())
    }
}
