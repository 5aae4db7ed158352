import ArgumentParser
import Configuration
import EarshotServer
import Foundation
import SystemPackage

/// What every command that touches an installation takes. A flag wins over the environment, the environment over the file.
struct InstallationOptions: ParsableArguments {
    @Option(help: "A file of NAME=value lines: EARSHOT_PORT=8080 and so on.")
    var config: String?

    @Option(help: "Folder for the database and the recordings.")
    var data: String?

    @Option(help: "Address to listen on.")
    var host: String?

    @Option(help: "Port to listen on; 0 lets the system choose.")
    var port: Int?

    @Option(help: "Where clamd listens: unix:/run/clamav/clamd.ctl or tcp:127.0.0.1:3310.")
    var clamd: String?

    /// - Throws: `ValidationError` with everything that is wrong.
    func configuration() async throws -> ServerConfiguration {
        var providers: [any ConfigProvider] = [InMemoryProvider(values: flags()), EnvironmentVariablesProvider()]
        if let config {
            providers.append(try await EnvironmentVariablesProvider(environmentFilePath: FilePath(config)))
        }
        do {
            return try ServerConfiguration(ConfigReader(providers: providers), defaults: Self.places())
        } catch let faults as ConfigurationFaults {
            throw ValidationError("The configuration has faults:\n\(faults)")
        }
    }

    private func flags() -> [AbsoluteConfigKey: ConfigValue] {
        var values: [AbsoluteConfigKey: ConfigValue] = [:]
        if let data { values[["earshot", "data"]] = ConfigValue(.string(data), isSecret: false) }
        if let host { values[["earshot", "host"]] = ConfigValue(.string(host), isSecret: false) }
        if let port { values[["earshot", "port"]] = ConfigValue(.string(String(port)), isSecret: false) }
        if let clamd { values[["earshot", "clamd"]] = ConfigValue(.string(clamd), isSecret: false) }
        return values
    }

    /// The worker stands beside this executable; the pages in the checkout that it was built from, or beside it.
    private static func places() -> ServerConfiguration.Defaults {
        let executable =
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
        let folder = (executable as NSString).deletingLastPathComponent
        let beside = folder + "/web"
        return ServerConfiguration.Defaults(
            web: FileManager.default.fileExists(atPath: beside) ? beside : "Web/dist",
            worker: folder + "/EarshotMediaWorker")
    }
}
