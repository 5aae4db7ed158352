import ArgumentParser
import EarshotServer

/// `earshot doctor`: checks the machine and says how to fix problems.
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract:
            "Check port, disk, codecs, scanner, public address and clock, and say how to fix problems.")

    @OptionGroup var installation: InstallationOptions

    func run() async throws {
        let findings = await Doctor(try await installation.configuration()).diagnose()
        for finding in findings { printLine(finding.line) }
        if findings.contains(where: { $0.health == .bad }) { throw ExitCode(1) }
    }
}
