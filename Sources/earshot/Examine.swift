import ArgumentParser
import EarshotServer

/// `earshot doctor`: what this machine lacks, and how to mend it.
struct Examine: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract:
            "Check port, disk, codecs, the browser-facing address and the clock, and say how to mend what is found.")

    @OptionGroup var installation: InstallationOptions

    func run() async throws {
        let findings = await Doctor(try await installation.configuration()).examine()
        for finding in findings { say(finding.line) }
        if findings.contains(where: { $0.health == .bad }) { throw ExitCode(1) }
    }
}
