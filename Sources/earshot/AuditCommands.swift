import ArgumentParser
import EarshotServer

/// `earshot audit …`: works with the audit logs of an installation.
struct AuditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit", abstract: "Check the audit logs.", subcommands: [VerifyAudit.self])
}

/// `earshot audit verify`.
struct VerifyAudit: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Check that no entry of the audit log was changed or removed.",
        discussion: """
            Each entry is stored with a hash of itself and of the hash before it. The last column is the hash of the \
            newest entry: keep it elsewhere, and give it with --known later, to prove that the newest entries were \
            not removed. The server may be running. The command ends with status 1 if a log is not intact.
            """)

    @OptionGroup var installation: InstallationOptions
    @Option(help: "The Brand ID. Without it, all brands are checked.") var brand: String?
    @Option(help: "The hash of an entry that must be in the log. Needs --brand.") var known: String?

    func validate() throws {
        if known != nil, brand == nil { throw ValidationError("--known needs --brand.") }
    }

    func run() async throws {
        let checks = try await AuditAdmin(installation.admin()).verify(brand: brand, known: known)
        for check in checks { printLine(check.line) }
        guard checks.allSatisfy(\.isIntact) else { throw ExitCode.failure }
    }
}
