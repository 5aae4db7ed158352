public import Configuration
public import EarshotCore
public import EarshotMedia

/// The configuration that an operator can set. It is read once at start, from flags, from the environment
/// (`EARSHOT_PORT` and so on) and from the file given with `--config`.
public struct ServerConfiguration: Sendable, Equatable {
    /// The address to listen on.
    public var host: String
    /// The port to listen on; 0 lets the system choose.
    public var port: Int
    /// The folder for the database and the recordings. Created if it does not exist.
    public var data: String
    /// The file with the master key; `nil`: `master-key` in the data folder.
    public var masterKeyFile: String?
    /// The folder with the built web pages.
    public var web: ProgramFiles.Place
    /// The media worker's executable.
    public var worker: ProgramFiles.Place
    /// The address of clamd. Without it recordings are not scanned.
    public var clamd: ScannerAddress?
    /// The servers that help calls connect.
    public var relay: RelayConfiguration
    /// The certificate and the key for TLS.
    public var tls: TLSFiles?
    /// The server's address as browsers see it, for example `https://chat.shop.example`. Defaults to its own address.
    public var publicURL: String?
    /// Addresses of reverse proxies that terminate TLS. Their forwarding headers are trusted.
    public var trustedProxies: [String]
    /// The lowest level of messages to log.
    public var logLevel: String
    /// Where metrics are served; `nil`: nowhere.
    public var metrics: MetricsAddress?
    /// How log lines are written.
    public var logFormat: LogFormat
    /// `FULL`. `NORMAL` exists only for the power-loss test.
    public var testSynchronous: String
    /// How many messages a person may send at once. Load tests raise it.
    public var sendBurst: Int
    /// How many messages a person may send per second after that.
    public var sendsPerSecond: Int
    /// Whether the demo shop is served. Set by `earshot demo`; an operator cannot set it.
    public var servesDemo = false
    /// How many media workers run at a time; `nil` means: a number that fits the machine's cores.
    public var mediaWorkers: Int?
    /// How many bytes all media workers together may use; `nil` means: a quarter of the machine's memory.
    public var mediaMemory: Int?
    /// How much of the recordings' volume uploads leave free.
    public var mediaReserve: SpaceReserve
    /// How many bytes of recordings are taken and kept.
    public var uploadLimits: UploadLimits
    /// How many connections one network address may hold; `nil` means: a fair share of those that are free.
    public var connectionsPerAddress: Int?
    /// How many sockets one person may have open.
    public var socketsPerPerson: Int
    /// How many requests one person may send per second. Load tests raise it.
    public var requestsPerSecond: Int

    /// Files for TLS, in PEM format.
    public struct TLSFiles: Sendable, Equatable {
        /// The path of the certificate chain.
        public var certificate: String
        /// The path of the private key.
        public var key: String
    }
}

/// All errors of a configuration, reported together.
public struct ConfigurationErrors: Error, CustomStringConvertible, Equatable {
    /// One sentence per error.
    public let errors: [String]

    /// The errors as a list, one per line.
    public var description: String { errors.map { "  - \($0)" }.joined(separator: "\n") }
}

extension ServerConfiguration {
    /// Reads the configuration.
    /// - Parameter files: where the pages and the worker are, unless the operator names another place.
    /// - Throws: `ConfigurationErrors` with all errors.
    public init(_ reader: ConfigReader, files: ProgramFiles) throws {
        let earshot = reader.scoped(to: "earshot")
        host = earshot.string(forKey: "host", default: "127.0.0.1")
        data = earshot.string(forKey: "data", default: "data")
        masterKeyFile = earshot.string(forKey: "master.key.file")
        web = earshot.string(forKey: "web").map { .init($0) } ?? files.web
        worker = earshot.string(forKey: "worker").map { .init($0) } ?? files.worker
        publicURL = earshot.string(forKey: "public.url")
        trustedProxies = earshot.stringArray(forKey: "trusted.proxies", default: [])
        logLevel = earshot.string(forKey: "log.level", default: "info")
        testSynchronous = earshot.string(forKey: "test.synchronous", default: "FULL")
        var errors = ErrorCollector()
        port = errors.number(earshot.string(forKey: "port"), "EARSHOT_PORT", in: 0...65_535, default: 8080)
        sendBurst = errors.number(
            earshot.string(forKey: "send.burst"), "EARSHOT_SEND_BURST", in: 1...1_000_000, default: 60)
        sendsPerSecond = errors.number(
            earshot.string(forKey: "sends.per.second"), "EARSHOT_SENDS_PER_SECOND", in: 1...1_000_000, default: 1)
        mediaWorkers = earshot.string(forKey: "media.workers").map {
            errors.number($0, "EARSHOT_MEDIA_WORKERS", in: 10...10_000, default: 10)
        }
        mediaMemory = errors.memory(earshot.string(forKey: "media.memory"))
        mediaReserve = errors.reserve(earshot.string(forKey: "media.reserve"))
        uploadLimits = errors.uploadLimits(earshot)
        connectionsPerAddress = earshot.string(forKey: "connections.per.address").map {
            errors.number($0, "EARSHOT_CONNECTIONS_PER_ADDRESS", in: 1...1_000_000, default: 1)
        }
        requestsPerSecond = errors.number(
            earshot.string(forKey: "requests.per.second"), "EARSHOT_REQUESTS_PER_SECOND", in: 1...1_000, default: 20)
        socketsPerPerson = errors.number(
            earshot.string(forKey: "sockets.per.person"), "EARSHOT_SOCKETS_PER_PERSON", in: 1...1_000_000, default: 20)
        logFormat = errors.logFormat(earshot.string(forKey: "log.format"))
        metrics = errors.metricsAddress(earshot.string(forKey: "metrics.address"))
        clamd = errors.scanner(earshot.string(forKey: "clamd"))
        relay = errors.relay(earshot)
        tls = errors.tls(earshot.string(forKey: "tls.certificate"), earshot.string(forKey: "tls.key"))
        errors.check(publicURL: publicURL)
        if !Self.logLevels.contains(logLevel) {
            errors.all.append("EARSHOT_LOG_LEVEL must be one of \(Self.logLevels.joined(separator: ", "))")
        }
        if !["FULL", "NORMAL"].contains(testSynchronous) {
            errors.all.append("EARSHOT_TEST_SYNCHRONOUS must be FULL or NORMAL")
        }
        if !isLoopback, tls == nil, trustedProxies.isEmpty { errors.all.append(Self.plaintextError(host)) }
        guard errors.all.isEmpty else { throw ConfigurationErrors(errors: errors.all) }
    }

    /// Whether only this machine can reach the server.
    public var isLoopback: Bool {
        host == "localhost" || host == "::1" || host.hasPrefix("127.")
    }

    static let logLevels = ["trace", "debug", "info", "notice", "warning", "error", "critical"]

    private static func plaintextError(_ host: String) -> String {
        "EARSHOT_HOST is \(host), which other machines can reach, but TLS is not configured. "
            + "Set EARSHOT_TLS_CERTIFICATE and EARSHOT_TLS_KEY, or put the "
            + "address of the reverse proxy that terminates TLS into EARSHOT_TRUSTED_PROXIES."
    }
}

/// Reads values and collects their errors.
struct ErrorCollector {
    var all: [String] = []

    mutating func number(_ text: String?, _ name: String, in range: ClosedRange<Int>, default standard: Int) -> Int {
        guard let text else { return standard }
        if let number = Int(text), range.contains(number) { return number }
        all.append("\(name) must be a number from \(range.lowerBound) to \(range.upperBound), not \"\(text)\"")
        return standard
    }

    mutating func tls(_ certificate: String?, _ key: String?) -> ServerConfiguration.TLSFiles? {
        switch (certificate, key) {
        case (let certificate?, let key?): return ServerConfiguration.TLSFiles(certificate: certificate, key: key)
        case (nil, nil): return nil
        default:
            all.append("EARSHOT_TLS_CERTIFICATE and EARSHOT_TLS_KEY must be set together")
            return nil
        }
    }

    mutating func logFormat(_ text: String?) -> LogFormat {
        guard let text else { return .text }
        if let format = LogFormat(rawValue: text) { return format }
        all.append("EARSHOT_LOG_FORMAT must be text or json, not \"\(text)\"")
        return .text
    }

    mutating func metricsAddress(_ text: String?) -> MetricsAddress? {
        guard let text else { return nil }
        if let address = MetricsAddress(text) { return address }
        all.append("EARSHOT_METRICS_ADDRESS must be an address of this machine, like 127.0.0.1:9464, not \"\(text)\"")
        return nil
    }

    mutating func scanner(_ text: String?) -> ScannerAddress? {
        guard let text else { return nil }
        do {
            return try ScannerAddress(text)
        } catch {
            all.append("EARSHOT_CLAMD \(error)")
            return nil
        }
    }

    mutating func check(publicURL: String?) {
        guard let publicURL else { return }
        let isWeb = publicURL.hasPrefix("https://") || publicURL.hasPrefix("http://")
        if !isWeb || publicURL.hasSuffix("/") {
            all.append("EARSHOT_PUBLIC_URL must be an address like https://chat.shop.example, without a path")
        }
    }
}
