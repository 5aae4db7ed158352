import ArgumentParser
import EarshotServer
import Foundation

/// Runs a command. A failure with an exit code of its own ends the process with that code, after one sentence on
/// standard error.
func withExitCodes<Result>(_ run: () async throws -> Result) async throws -> Result {
    do { return try await run() } catch let failure as ServerFailure {
        FileHandle.standardError.write(Data("Error: \(failure)\n".utf8))
        throw ExitCode(failure.code.rawValue)
    }
}

extension InstallationOptions {
    /// Opens the installation for a command. A server of the same version may be running.
    func admin() async throws -> AdminService { try await server().admin() }

    /// The installation, opened for a command.
    func server() async throws -> Server {
        try await withExitCodes { try await Server(configuration(), for: .command) }
    }

    /// The service behind the commands about retention and erasure.
    func retentionAdmin() async throws -> RetentionAdmin {
        let server = try await server()
        return try await withExitCodes { try server.retentionAdmin() }
    }
}
