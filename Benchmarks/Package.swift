// swift-tools-version:6.2
// Its own package, without dependencies: the load client shares one core with nothing, must cost little beside the server, and speaks TLS by another library (OpenSSL)
// than the server does (BoringSSL). CWarm is what the media worker is compared with. What it knows of Earshot is docs/protocol.md; only `routing` measures a part of it from
// inside, the pure half of the domain, whose sources are linked into this package.

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
    targets: [
        .target(name: "CLoad", linkerSettings: [.linkedLibrary("ssl"), .linkedLibrary("crypto")]),
        .target(
            name: "CWarm",
            linkerSettings: ["avformat", "avcodec", "swresample", "avutil", "ebur128", "m"].map { .linkedLibrary($0) }),
        .target(name: "EarshotModel", swiftSettings: settings),
        .target(name: "EarshotDomain", dependencies: ["EarshotModel"], swiftSettings: settings),
        .executableTarget(name: "earshot-bench", dependencies: ["CLoad", "CWarm", "EarshotDomain", "EarshotModel"], swiftSettings: settings),
    ]
)
