/// Who may import whom: a line a target. What is not in the line is refused, so a new import is a decision somebody
/// sees.
enum ImportTable {
    /// What comes with the toolchain and does no I/O that a port should stand for.
    static let pureToolchain: Set<String> = ["Foundation", "FoundationEssentials", "Synchronization"]
    static let toolchain = pureToolchain.union(["Dispatch", "Glibc", "Musl", "Darwin", "FoundationNetworking"])

    static let nio: Set<String> = [
        "NIOCore", "NIOPosix", "NIOHTTP1", "NIOWebSocket", "NIOSSL", "NIOConcurrencyHelpers", "NIOFoundationCompat",
        "NIOEmbedded", "NIOTLS",
        "NIOHTTPTypes", "NIOHTTPTypesHTTP1",
    ]
    static let hummingbird: Set<String> = ["Hummingbird", "HummingbirdCore", "HummingbirdTLS", "HTTPTypes"]
    static let crypto: Set<String> = ["Crypto", "CryptoExtras"]

    /// Target → the modules that it may import.
    static let allowed: [String: Set<String>] = [
        "EarshotModel": pureToolchain,
        "EarshotDomain": pureToolchain.union(["EarshotModel"]),
        "EarshotCore": toolchain.union(crypto).union(["EarshotDomain", "EarshotModel", "Logging", "ServiceLifecycle"]),
        "EarshotStorage": toolchain.union(crypto).union([
            "EarshotCore", "EarshotDomain", "EarshotModel", "GRDB", "GRDBSQLite", "Logging",
        ]),
        "EarshotWorkerProtocol": pureToolchain.union(["EarshotModel"]),
        "EarshotMedia": toolchain.union(["NIOCore", "NIOPosix"]).union(crypto)
            .union([
                "CSpawn", "EarshotCore", "EarshotDomain", "EarshotModel", "EarshotWorkerProtocol", "Logging",
                "ServiceLifecycle",
            ]),
        "EarshotAudioFormats": ["EarshotWorkerProtocol"],
        "EarshotMediaWorker": toolchain.union([
            "CLibAV", "CLoudness", "CSandbox", "EarshotAudioFormats", "EarshotWorkerProtocol",
        ]),
        "EarshotGateway": toolchain.union(nio).union(hummingbird).union(crypto)
            .union(["EarshotCore", "EarshotDomain", "EarshotModel", "Logging", "ServiceLifecycle"]),
        "EarshotServer": toolchain.union(nio).union(hummingbird).union(crypto)
            .union(["EarshotCore", "EarshotDomain", "EarshotGateway", "EarshotMedia", "EarshotModel", "EarshotStorage"])
            .union(["Configuration", "Logging", "ServiceLifecycle", "UnixSignals"]),
        "earshot": toolchain.union(["ArgumentParser", "Configuration", "EarshotServer", "SystemPackage"]),
        "EarshotTestKit": toolchain.union(["EarshotCore", "EarshotDomain", "EarshotModel", "Testing"]),
        "CLibAV": [],
        "CLoudness": [],
        "CSandbox": [],
        "CSpawn": [],
    ]

    /// Adapters see each other only in EarshotServer.
    static let adapters: Set<String> = ["EarshotStorage", "EarshotMedia", "EarshotGateway"]
}
