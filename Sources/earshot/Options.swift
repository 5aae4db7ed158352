import ArgumentParser
import Configuration
import EarshotServer
import SystemPackage

/// The options of every command that works with an installation. Flags override the environment, which overrides the
/// file.
struct InstallationOptions: ParsableArguments {
    @Option(help: "A file with lines like EARSHOT_PORT=8080.")
    var config: String?

    @Option(help: "The folder for the database and the recordings.")
    var data: String?

    @Option(help: "The address to listen on.")
    var host: String?

    @Option(help: "The port to listen on; 0 lets the system choose.")
    var port: Int?

    @Option(help: "The address of clamd: unix:/run/clamav/clamd.ctl or tcp:127.0.0.1:3310.")
    var clamd: String?

    /// Reads the configuration.
    /// - Throws: `ValidationError` with all errors.
    func configuration() async throws -> ServerConfiguration {
        var providers: [any ConfigProvider] = [InMemoryProvider(values: flags()), EnvironmentVariablesProvider()]
        if let config {
            providers.append(try await EnvironmentVariablesProvider(environmentFilePath: FilePath(config)))
        }
        do {
            return try ServerConfiguration(ConfigReader(providers: providers), files: .current)
        } catch let errors as ConfigurationErrors {
            throw ValidationError("The configuration has errors:\n\(errors)")
        }
    }

    /// A command for the same installation, as it is typed in the folder in which this one was.
    func command(_ words: String) async throws -> String {
        let folder = config == nil ? try await configuration().data : data ?? "data"
        let options = [config.map { "--config \($0)" }, folder == "data" ? nil : "--data \(folder)"]
        let program = CommandLine.arguments.first ?? "earshot"
        return ([program, words] + options.compactMap(\.self)).joined(separator: " ")
    }

    private func flags() -> [AbsoluteConfigKey: ConfigValue] {
        var values: [AbsoluteConfigKey: ConfigValue] = [:]
        if let data { values[["earshot", "data"]] = ConfigValue(.string(data), isSecret: false) }
        if let host { values[["earshot", "host"]] = ConfigValue(.string(host), isSecret: false) }
        if let port { values[["earshot", "port"]] = ConfigValue(.string(String(port)), isSecret: false) }
        if let clamd { values[["earshot", "clamd"]] = ConfigValue(.string(clamd), isSecret: false) }
        return values
    }
}

/// The option of commands that print links.
struct LinkOptions: ParsableArguments {
    @Option(help: "The address in the links that are printed. By default that of the running server.")
    var address: String?

    func validate() throws {
        guard let address, !LinkAddress.isValid(address) else { return }
        throw ValidationError("\(address) is no address for links. Write it like https://chat.shop.example.")
    }

    func resolved(_ installation: InstallationOptions, _ admin: AdminService) async throws -> LinkAddress {
        LinkAddress(
            given: address, isPortGiven: installation.port != nil,
            configuration: try await installation.configuration(), running: admin.serverAddress)
    }
}
