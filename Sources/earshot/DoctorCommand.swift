import ArgumentParser
import EarshotServer

/// `earshot doctor`: checks the machine and says how to fix problems.
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract:
            "Check port, disk, codecs, scanner, public address and clock, and say how to fix problems.",
        discussion: """
            If the server runs, its public address is checked as a browser uses it: certificate, proxy, WebSockets, \
            uploads. Ends with 1 if something is broken.
            """)

    @OptionGroup var installation: InstallationOptions
    @Option(help: "A PEM file with a private certificate authority that your browsers trust.") var ca: String?

    func run() async throws {
        let findings = await Doctor(try await installation.configuration(), authority: ca).diagnose()
        for finding in findings { printLine(finding.line) }
        if findings.contains(where: { $0.health == .bad }) { throw ExitCode(1) }
    }
}
