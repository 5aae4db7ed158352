import EarshotCore
import EarshotGateway
import EarshotModel
import Foundation

/// The server that runs on the data folder, as it describes itself to the doctor. It answers because the doctor can
/// write to the data folder; everyone else gets no answer.
struct RunningServer: Decodable, Sendable {
    /// The version of the running program.
    let version: String
    /// What the server made of the forwarding headers of the doctor's request.
    let forwarding: Forwarding
    /// Rows of the database that could not be read; an older server says nothing of them.
    let damaged: [String]?

    /// Asks the server at an address; `nil` if no server that knows the token answers.
    /// - Parameter isVerified: whether the certificate must be one that browsers accept.
    static func ask(_ address: String, _ token: DoctorToken, authority: String?, isVerified: Bool = true) async
        -> RunningServer?
    {
        guard let target = ProbeConnection.Target(address),
            let connection = try? ProbeConnection(target, authority: authority, isVerified: isVerified),
            let reply = try? await connection.send("GET", "/v1/doctor/\(token.value)"), reply.status == 200
        else { return nil }
        return try? JSONDecoder().decode(RunningServer.self, from: Data(reply.body.utf8))
    }

    /// Whether the running version is the installed one.
    var finding: Finding {
        let own = EarshotVersion.current
        guard version == own else {
            return Finding(
                "server", .warning, "version \(version) is running, and \(own) is installed",
                remedy: "Restart the server.")
        }
        return Finding("server", .good, "version \(own) is running")
    }

    /// Whether every row that was needed so far could be read; `nil` if the server does not say.
    var rows: Finding? {
        guard let damaged else { return nil }
        guard let first = damaged.first else {
            return Finding("rows", .good, "every row of the database that was needed could be read")
        }
        let more = damaged.count > 1 ? " and \(damaged.count - 1) more" : ""
        return Finding(
            "rows", .warning, "\(first)\(more) cannot be read; what needs it is refused, everything else works",
            remedy: "The server's log names each row. Check the disk, and restore a backup.")
    }
}

extension Doctor {
    /// Asks whatever listens on the port.
    func runningServer(_ token: DoctorToken) async -> RunningServer? {
        let scheme = configuration.tls == nil ? "http" : "https"
        let host = ["0.0.0.0", "::"].contains(configuration.host) ? "localhost" : configuration.host
        let name = host.contains(":") ? "[\(host)]" : host
        return await RunningServer.ask(
            "\(scheme)://\(name):\(configuration.port)", token, authority: authority, isVerified: false)
    }
}

/// A file in the data folder that proves to the running server that its operator asks.
struct DoctorToken: Sendable {
    let value: String
    private let path: String

    /// Writes the file; `nil` if the data folder cannot be written to.
    init?(in folder: String) {
        value = Base64URL.encode(SystemEnvironment.system.random(DoctorFolder.tokenBytes))
        let place = DoctorFolder(data: folder)
        path = place.path(value)
        let isMade =
            (try? FileManager.default.createDirectory(
                atPath: place.folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])) != nil
        guard isMade, FileManager.default.createFile(atPath: path, contents: nil) else { return nil }
    }

    func remove() { try? FileManager.default.removeItem(atPath: path) }
}

/// Where the doctor leaves its tokens.
struct DoctorFolder: Sendable {
    static let tokenBytes = 16
    let folder: String

    init(data: String) {
        folder = data + "/.doctor"
    }

    func path(_ token: String) -> String { "\(folder)/\(token)" }

    /// Whether the doctor left this token. Anything that is not a token is no path.
    func has(_ token: String) -> Bool {
        token.wholeMatch(of: /[A-Za-z0-9_-]{22}/) != nil && FileManager.default.fileExists(atPath: path(token))
    }
}
