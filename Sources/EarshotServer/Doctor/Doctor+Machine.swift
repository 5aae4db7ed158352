import EarshotGateway
import EarshotMedia
import EarshotModel
import Foundation

extension Doctor {
    /// The free space below which the doctor warns. An hour of recordings takes about 20 MB, a busy month a few GB.
    private static let roomyBytes: Int64 = 2_000_000_000
    /// The free space below which the check fails.
    private static let tightBytes: Int64 = 200_000_000

    func port() -> Finding {
        let (host, port) = (configuration.host, configuration.port)
        switch SystemProbe.canListen(host: host, port: port) {
        case .free: return Finding("port", .good, "\(host):\(port) is free")
        case .taken:
            return Finding(
                "port", .bad, "\(host):\(port) is already in use, perhaps by another Earshot server",
                remedy: "Stop that program, or set EARSHOT_PORT to another port.")
        case .refused(let why):
            return Finding(
                "port", .bad, "cannot listen on \(host):\(port): \(why)",
                remedy: port < 1024
                    ? "Ports below 1024 need root. Put a reverse proxy in front, or set EARSHOT_PORT to a higher port."
                    : "Set EARSHOT_HOST to an address of this machine.")
        }
    }

    /// The data folder, and the folder of the recordings where that is on a disk of its own.
    func disk() -> [Finding] {
        let (data, media) = (configuration.data, configuration.data + "/media")
        let first = disk(of: data)
        guard let own = SystemProbe.device(of: data), let other = SystemProbe.device(of: media), own != other else {
            return [first]
        }
        return [first, disk(of: media)]
    }

    private func disk(of folder: String) -> Finding {
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            try SystemProbe.writeAndSync(in: folder)
        } catch {
            return Finding(
                "disk", .bad, "cannot write to \(folder)",
                remedy: "Let the user that runs Earshot write to it, or set EARSHOT_DATA to another folder.")
        }
        let attributes = try? FileManager.default.attributesOfFileSystem(forPath: folder)
        guard let free = (attributes?[.systemFreeSize] as? NSNumber)?.int64Value else {
            return Finding("disk", .warning, "\(folder) is writable; its free space cannot be determined")
        }
        let text = "\(folder) is writable, \(free / 1_000_000) MB free"
        if free < Self.tightBytes {
            return Finding(
                "disk", .bad, text,
                remedy: "Free some space: when the disk is full, new recordings and messages are refused.")
        }
        if free < Self.roomyBytes {
            return Finding("disk", .warning, text, remedy: "Plan for more space: recordings need about 20 MB an hour.")
        }
        return Finding("disk", .good, text)
    }

    /// With fewer connections than this the doctor warns: every open page takes one, and more while it loads.
    private static let fewConnections = 1_000

    /// Checks how many connections the limit of open files allows. The server raises the soft limit when it starts.
    func openFiles() -> Finding {
        let limit = min(OpenFileLimit.current.hard, DescriptorBudget.mostDescriptors)
        let remedy = "Raise the hard limit: LimitNOFILE=65536 in the systemd unit, ulimit -Hn in a shell."
        do {
            let budget = try DescriptorBudget(limit: limit, workers: configuration.pool.maxWorkers)
            let text =
                "\(limit) open files allow \(budget.connections) connections and \(budget.workers) media workers "
                + "(for a server with the limits of this shell)"
            let isRoomy = budget.connections >= Self.fewConnections
            return Finding("files", isRoomy ? .good : .warning, text, remedy: isRoomy ? nil : remedy)
        } catch {
            return Finding("files", .bad, "\(error)", remedy: remedy)
        }
    }

    /// Checks that a backup was completed within two days.
    func backup() -> Finding {
        guard let last = LastBackup(of: configuration.data).at else {
            return Finding(
                "backup", .warning, "none was made with earshot backup",
                remedy: "Run earshot backup once a day; see Backups in operating.md.")
        }
        let at = Date(timeIntervalSince1970: Double(last.milliseconds) / 1000)
        guard at > Date(timeIntervalSinceNow: -Self.backupSeconds) else {
            return Finding(
                "backup", .warning, "the last one was completed at \(at)",
                remedy: "Run earshot backup, and look why its timer failed.")
        }
        return Finding("backup", .good, "the last one was completed at \(at)")
    }

    private static let backupSeconds: TimeInterval = 2 * 86_400

    /// Checks the clock, on which tokens, timers and retention depend.
    func clock() -> Finding {
        if let newest = SystemProbe.newestWrite(in: configuration.data),
            newest > Date(timeIntervalSinceNow: Self.clockSlackSeconds)
        {
            return Finding(
                "clock", .bad, "the clock is behind: the data folder was written at \(newest)",
                remedy: "Set the clock. It was set back since Earshot last ran.")
        }
        guard SystemProbe.isClockKept() else {
            return Finding(
                "clock", .warning, "no time synchronisation service was found",
                remedy: "Install chrony, or enable systemd-timesyncd.")
        }
        return Finding("clock", .good, "synchronised by the system")
    }

    private static let clockSlackSeconds: TimeInterval = 60

    func pages() -> Finding {
        let (missing, web) = (configuration.missingPages, configuration.web)
        guard !missing.isEmpty else { return Finding("pages", .good, "built, in \(web.path)") }
        let text =
            missing == ProgramFiles.pages
            ? ServerConfiguration.pagesNotFound(in: web.places)
            : "\(missing.joined(separator: ", ")) not found in \(web.path)"
        return Finding("pages", .bad, text, remedy: ServerConfiguration.pagesRemedy)
    }
}
