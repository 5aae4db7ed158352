import ArgumentParser
import EarshotServer

/// `earshot backup FOLDER`: makes a backup. The server may be running.
struct Backup: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Make a backup while the server runs, or check one.",
        discussion: """
            Makes a folder named after the time in FOLDER, with a copy of the database, the recordings and the keys, \
            but not the master key, which opens them. \
            What the previous backup in FOLDER has already is linked to it, not copied. The copy is read back and \
            compared with the database before it gets its name.
            """)

    @OptionGroup var installation: InstallationOptions
    @Argument(help: "The folder that collects the backups; with --check also a single backup.") var folder: String
    @Flag(help: "Make no backup: read the newest one in FOLDER completely, and report damage.") var check = false

    func run() async throws {
        let service = BackupService(try await installation.configuration(), report: printLine)
        let made = try check ? service.check(folder) : service.make(in: folder)
        printLine(check ? "\(made.folder) is complete and undamaged." : "Made \(made.folder).")
        made.summary.forEach(printLine)
        // A backup may be checked on a machine that does not have the key.
        let problems = [made.loss, check ? nil : try service.keyProblem(of: made)].compactMap(\.self)
        problems.forEach(printLine)
        if !problems.isEmpty { throw ExitCode(1) }
    }
}

/// `earshot restore FOLDER`: restores a backup.
struct Restore: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Restore a backup into an empty data folder. Stop the server first.",
        discussion: """
            The backup is checked first. The restored database gets a new epoch: clients start afresh and miss \
            nothing. Everyone has to sign in again.
            """)

    @OptionGroup var installation: InstallationOptions
    @Argument(help: "A backup, or the folder that collects them: then the newest one.") var folder: String
    @Flag(help: "Move what is in the data folder into a folder within it.") var force = false

    func run() async throws {
        let configuration = try await installation.configuration()
        let service = RestoreService(configuration, report: printLine)
        let (made, old) = try await withExitCodes { try service.restore(folder, movesOld: force) }
        printLine("Restored \(made.folder), made \(made.manifest.made), into \(configuration.data).")
        if let old { printLine("What was there before is in \(old). Delete it when you no longer need it.") }
        printLine(try service.nextStep())
    }
}
