public import Configuration
public import EarshotMedia

/// Everything an operator can set, read once at start. Names in the environment (or in the file given with `--config`): `EARSHOT_PORT` and so on.
public struct ServerConfiguration: Sendable, Equatable {
    /// Address to listen on.
    public var host: String
    /// 0 lets the system choose.
    public var port: Int
    /// Folder for the database and the recordings. Made if it is missing.
    public var data: String
    /// Folder with the built web pages.
    public var web: String
    /// The media worker's executable.
    public var worker: String
    /// Where clamd listens. Without it nobody scans recordings.
    public var clamd: ScannerAddress?
    /// PEM files; both or none.
    public var tls: TLSFiles?
    /// What browsers call this server, e.g. `https://chat.shop.example`. Without it: its own address and port.
    public var publicURL: String?
    /// Addresses of reverse proxies that end TLS in front of us and whose forwarding headers we believe.
    public var trustedProxies: [String]
    public var logLevel: String
    /// `FULL`; anything else is for the power-loss test, which shows what it would lose.
    public var testSynchronous: String
    /// Sends a person may make: at once, and a second. For load tests; the defaults suit people.
    public var sendBurst: Int
    public var sendsPerSecond: Int
    /// Media workers at the same time; `nil`: as suits this machine's cores.
    public var mediaWorkers: Int?

    public struct TLSFiles: Sendable, Equatable {
        public var certificate: String
        public var key: String
    }
}

/// All that is wrong with a configuration, together.
public struct ConfigurationFaults: Error, CustomStringConvertible, Equatable {
    public let faults: [String]

    public var description: String { faults.map { "  - \($0)" }.joined(separator: "\n") }
}

extension ServerConfiguration {
    /// Where things are unless the operator says otherwise.
    public struct Defaults: Sendable {
        public let web: String
        public let worker: String

        public init(web: String, worker: String) {
            self.web = web
            self.worker = worker
        }
    }

    /// - Throws: `ConfigurationFaults`, with every fault there is.
    public init(_ reader: ConfigReader, defaults: Defaults) throws {
        let earshot = reader.scoped(to: "earshot")
        host = earshot.string(forKey: "host", default: "127.0.0.1")
        data = earshot.string(forKey: "data", default: "data")
        web = earshot.string(forKey: "web", default: defaults.web)
        worker = earshot.string(forKey: "worker", default: defaults.worker)
        publicURL = earshot.string(forKey: "public.url")
        trustedProxies = earshot.stringArray(forKey: "trusted.proxies", default: [])
        logLevel = earshot.string(forKey: "log.level", default: "info")
        testSynchronous = earshot.string(forKey: "test.synchronous", default: "FULL")
        var faults = Faults()
        port = faults.number(earshot.string(forKey: "port"), "EARSHOT_PORT", in: 0...65_535, default: 8080)
        sendBurst = faults.number(
            earshot.string(forKey: "send.burst"), "EARSHOT_SEND_BURST", in: 1...1_000_000, default: 60)
        sendsPerSecond = faults.number(
            earshot.string(forKey: "sends.per.second"), "EARSHOT_SENDS_PER_SECOND", in: 1...1_000_000, default: 1)
        mediaWorkers = earshot.string(forKey: "media.workers").map {
            faults.number($0, "EARSHOT_MEDIA_WORKERS", in: 10...10_000, default: 10)
        }
        clamd = faults.scanner(earshot.string(forKey: "clamd"))
        tls = faults.tls(earshot.string(forKey: "tls.certificate"), earshot.string(forKey: "tls.key"))
        faults.check(publicURL: publicURL)
        if !Self.logLevels.contains(logLevel) {
            faults.all.append("EARSHOT_LOG_LEVEL is one of \(Self.logLevels.joined(separator: ", "))")
        }
        if !["FULL", "NORMAL"].contains(testSynchronous) {
            faults.all.append("EARSHOT_TEST_SYNCHRONOUS is FULL or NORMAL")
        }
        if !isLoopback, tls == nil, trustedProxies.isEmpty { faults.all.append(Self.plainFault(host)) }
        guard faults.all.isEmpty else { throw ConfigurationFaults(faults: faults.all) }
    }

    /// Whether only this machine can reach us.
    public var isLoopback: Bool {
        host == "localhost" || host == "::1" || host.hasPrefix("127.")
    }

    static let logLevels = ["trace", "debug", "info", "notice", "warning", "error", "critical"]

    private static func plainFault(_ host: String) -> String {
        "EARSHOT_HOST is \(host), which others can reach, but there is no TLS. Set EARSHOT_TLS_CERTIFICATE and EARSHOT_TLS_KEY, or name the "
            + "reverse proxy that ends TLS in EARSHOT_TRUSTED_PROXIES."
    }
}

/// Collects what is wrong while it reads.
private struct Faults {
    var all: [String] = []

    mutating func number(_ text: String?, _ name: String, in range: ClosedRange<Int>, default standard: Int) -> Int {
        guard let text else { return standard }
        if let number = Int(text), range.contains(number) { return number }
        all.append("\(name) is a number from \(range.lowerBound) to \(range.upperBound), not \"\(text)\"")
        return standard
    }

    mutating func tls(_ certificate: String?, _ key: String?) -> ServerConfiguration.TLSFiles? {
        switch (certificate, key) {
        case (let certificate?, let key?): return ServerConfiguration.TLSFiles(certificate: certificate, key: key)
        case (nil, nil): return nil
        default:
            all.append("EARSHOT_TLS_CERTIFICATE and EARSHOT_TLS_KEY go together")
            return nil
        }
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
            all.append("EARSHOT_PUBLIC_URL is an address like https://chat.shop.example, without a path")
        }
    }
}
