import ArgumentParser
import EarshotServer

/// `earshot backup FOLDER`: makes a backup. The server may be running.
struct Backup: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Make a backup while the server runs, or check one.",
        discussion: """
            Makes a folder named after the time in FOLDER, with a copy of the database, the recordings and the keys. \
            What the previous backup in FOLDER has already is linked to it, not copied. The copy is read back and \
            compared with the database before it gets its name.
            """)

    @OptionGroup var installation: InstallationOptions
    @Argument(help: "The folder that collects the backups; with --check also a single backup.") var folder: String
    @Flag(help: "Make no backup: read the newest one in FOLDER completely, and report damage.") var check = false

    func run() async throws {
        let service = BackupService(data: try await installation.configuration().data, report: printLine)
        let made = try check ? service.check(folder) : service.make(in: folder)
        printLine(check ? "\(made.folder) is complete and undamaged." : "Made \(made.folder).")
        made.summary.forEach(printLine)
        if let loss = made.loss {
            printLine(loss)
            throw ExitCode(1)
        }
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
        let data = try await installation.configuration().data
        let (made, old) = try await withExitCodes {
            try RestoreService(data: data, report: printLine).restore(folder, movesOld: force)
        }
        printLine("Restored \(made.folder), made \(made.manifest.made), into \(data).")
        if let old { printLine("What was there before is in \(old). Delete it when you no longer need it.") }
        printLine("Next: earshot serve. Everyone has to sign in again.")
    }
}
