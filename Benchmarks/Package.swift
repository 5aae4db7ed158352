// swift-tools-version:6.2
// A separate package without dependencies. The load client must cost little CPU compared with the server, and uses
// another TLS library (OpenSSL) than the server (BoringSSL). CWarm is the baseline for the media worker. The load
// client knows of Earshot what docs/protocol.md says. Only `routing` measures code in process: the pure domain, whose
// sources are linked into this package.

import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
]

let package = Package(
    name: "earshot-benchmarks",
    // Loaded into the server of `slow-disk`.
    products: [.library(name: "SlowFlush", type: .dynamic, targets: ["CSlowFlush"])],
    targets: [
        .target(name: "CSlowFlush", linkerSettings: [.linkedLibrary("dl")]),
        .target(name: "CLoad", linkerSettings: [.linkedLibrary("ssl"), .linkedLibrary("crypto")]),
        .target(
            name: "CWarm",
            linkerSettings: ["avformat", "avcodec", "swresample", "avutil", "ebur128", "m"].map { .linkedLibrary($0) }),
        .target(name: "EarshotModel", swiftSettings: settings),
        .target(name: "EarshotDomain", dependencies: ["EarshotModel"], swiftSettings: settings),
        .executableTarget(
            name: "earshot-bench", dependencies: ["CLoad", "CWarm", "EarshotDomain", "EarshotModel"],
            swiftSettings: settings),
    ]
)
