import Foundation

extension Doctor {
    /// Room below which the doctor warns, and below which it calls it bad: an hour of recordings is about 20 MB, a busy month some GB.
    private static let roomyBytes: Int64 = 2_000_000_000
    private static let tightBytes: Int64 = 200_000_000

    func port() -> Finding {
        let (host, port) = (configuration.host, configuration.port)
        switch Probe.canListen(host: host, port: port) {
        case .free: return Finding("port", .good, "\(host):\(port) is free")
        case .taken:
            return Finding(
                "port", .bad, "\(host):\(port) is taken by another program (Earshot itself, if it runs already)",
                remedy: "Stop that program, or set EARSHOT_PORT to another number.")
        case .refused(let why):
            return Finding(
                "port", .bad, "cannot listen on \(host):\(port): \(why)",
                remedy: port < 1024
                    ? "Ports below 1024 need root; put a reverse proxy in front, or choose a higher EARSHOT_PORT."
                    : "Check EARSHOT_HOST.")
        }
    }

    func disk() -> Finding {
        let folder = configuration.data
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            try Probe.writeAndSync(in: folder)
        } catch {
            return Finding(
                "disk", .bad, "cannot write to \(folder)",
                remedy: "Give the user that runs Earshot this folder, or set EARSHOT_DATA to another.")
        }
        let attributes = try? FileManager.default.attributesOfFileSystem(forPath: folder)
        guard let free = (attributes?[.systemFreeSize] as? NSNumber)?.int64Value else {
            return Finding("disk", .doubtful, "\(folder) is writable; how much room there is cannot be read")
        }
        let text = "\(folder) is writable, \(free / 1_000_000) MB free"
        if free < Self.tightBytes {
            return Finding(
                "disk", .bad, text, remedy: "Make room: when it is full, new recordings and messages are refused.")
        }
        if free < Self.roomyBytes {
            return Finding("disk", .doubtful, text, remedy: "Plan for more: recordings need about 20 MB an hour.")
        }
        return Finding("disk", .good, text)
    }

    /// Tokens, timers and retention go by the clock.
    func clock() -> Finding {
        if let newest = Probe.newestWrite(in: configuration.data),
            newest > Date(timeIntervalSinceNow: Self.clockSlackSeconds)
        {
            return Finding(
                "clock", .bad, "it is behind: the data folder was written at \(newest)",
                remedy: "Set the clock; it went back since Earshot last ran.")
        }
        guard Probe.isClockKept() else {
            return Finding(
                "clock", .doubtful, "no service is seen that keeps it in step",
                remedy: "Install chrony, or turn on systemd-timesyncd.")
        }
        return Finding("clock", .good, "kept in step by the system")
    }

    private static let clockSlackSeconds: TimeInterval = 60

    func pages() -> Finding {
        let missing = ["loader.js", "widget/index.html", "workspace/index.html"].filter {
            !FileManager.default.fileExists(atPath: configuration.web + "/" + $0)
        }
        guard missing.isEmpty else {
            return Finding(
                "pages", .bad, "\(missing.joined(separator: ", ")) missing in \(configuration.web)",
                remedy: "Run bin/web build.")
        }
        return Finding("pages", .good, "built, in \(configuration.web)")
    }
}
