import EarshotCore

extension Doctor {
    /// Checks that the master key is there, is the one that the data folder needs, and is protected.
    func masterKey() -> Finding {
        let file = MasterKeyFile(configuration, .system)
        let remedy = "Restore the file from where you keep its copy: no backup has it."
        if let mode = file.openMode {
            return Finding(
                "key", .bad, "\(file.path) is open to other users of this machine (mode \(mode))",
                remedy: "Run: chmod 600 \(file.path)")
        }
        do {
            let check = MasterKeyCheck(file: file, folder: configuration.data)
            if let problem = try check.problem() { return Finding("key", .bad, problem, remedy: remedy) }
            guard case .complete(let keys) = try check.result(), !keys.isEmpty else {
                return Finding("key", .good, "nothing is encrypted yet; the first start makes \(file.path)")
            }
            return Finding("key", .good, "the master key \(keys.joined(separator: ", ")) is in \(file.path)")
        } catch {
            return Finding(
                "key", .warning, "what the master key has to open cannot be read: \(error)",
                remedy: "Start the server; it says what is wrong with the database.")
        }
    }
}
