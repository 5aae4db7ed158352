// swift-tools-version:6.2
// What each target is for, and which may import which: ARCHITECTURE.md. The import table is a test: Tests/House.

import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
]

let nio: [Target.Dependency] = [
    .product(name: "NIOCore", package: "swift-nio"),
    .product(name: "NIOPosix", package: "swift-nio"),
]

let hummingbird: [Target.Dependency] = [
    .product(name: "Hummingbird", package: "hummingbird"),
    .product(name: "HummingbirdCore", package: "hummingbird"),
    .product(name: "HTTPTypes", package: "swift-http-types"),
]

let package = Package(
    name: "earshot",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "earshot", targets: ["earshot"]),
        .executable(name: "EarshotMediaWorker", targets: ["EarshotMediaWorker"]),
        .library(name: "EarshotModel", targets: ["EarshotModel"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0", traits: [.defaults]),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0", traits: []),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.34.1"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        .target(name: "EarshotModel", swiftSettings: settings),
        .target(name: "EarshotDomain", dependencies: ["EarshotModel"], swiftSettings: settings),
        .target(
            name: "EarshotCore",
            dependencies: [
                "EarshotDomain", "EarshotModel",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: settings),
        .target(
            name: "EarshotStorage",
            dependencies: [
                "EarshotCore", "EarshotDomain", "EarshotModel",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: settings),
        .target(
            name: "EarshotMedia",
            dependencies: [
                "CSpawn", "EarshotCore", "EarshotDomain", "EarshotModel", "EarshotWorkerProtocol",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ] + nio,
            swiftSettings: settings),
        .target(name: "EarshotWorkerProtocol", swiftSettings: settings),
        .target(name: "EarshotAudioFormats", dependencies: ["EarshotWorkerProtocol"], swiftSettings: settings),
        .executableTarget(
            name: "EarshotMediaWorker",
            dependencies: ["CLibAV", "CLoudness", "CSandbox", "EarshotAudioFormats", "EarshotWorkerProtocol"],
            swiftSettings: settings),
        .systemLibrary(
            name: "CLibAV", pkgConfig: "libavformat libavcodec libswresample libavutil",
            providers: [.apt(["libavformat-dev", "libavcodec-dev", "libswresample-dev", "libavutil-dev"])]),
        .systemLibrary(name: "CLoudness", pkgConfig: "libebur128", providers: [.apt(["libebur128-dev"])]),
        .target(name: "CSpawn"),
        .target(name: "CSandbox", linkerSettings: [.linkedLibrary("seccomp")]),
        .target(
            name: "EarshotGateway",
            dependencies: [
                "EarshotCore", "EarshotDomain", "EarshotModel",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "NIOWebSocket", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ] + hummingbird + nio,
            swiftSettings: settings),
        .target(
            name: "EarshotServer",
            dependencies: [
                "EarshotCore", "EarshotDomain", "EarshotGateway", "EarshotMedia", "EarshotModel", "EarshotStorage",
                .product(name: "Configuration", package: "swift-configuration"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ] + hummingbird + nio,
            swiftSettings: settings),
        .executableTarget(
            name: "earshot",
            dependencies: [
                "EarshotServer",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Configuration", package: "swift-configuration"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: settings),
        .target(
            name: "EarshotTestKit", dependencies: ["EarshotCore", "EarshotDomain", "EarshotModel"],
            swiftSettings: settings),
        .testTarget(
            name: "EarshotModelTests", dependencies: ["EarshotModel", "EarshotTestKit"], path: "Tests/EarshotModel",
            swiftSettings: settings),
        .testTarget(
            name: "EarshotDomainTests", dependencies: ["EarshotDomain", "EarshotModel", "EarshotTestKit"],
            path: "Tests/EarshotDomain",
            swiftSettings: settings),
        .testTarget(
            name: "EarshotCoreTests",
            dependencies: [
                "EarshotCore", "EarshotDomain", "EarshotModel", "EarshotTestKit",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
                .product(name: "Logging", package: "swift-log"),
            ], path: "Tests/EarshotCore", swiftSettings: settings),
        .testTarget(
            name: "EarshotStorageTests",
            dependencies: [
                "EarshotCore", "EarshotDomain", "EarshotModel", "EarshotStorage", "EarshotTestKit",
                .product(name: "GRDB", package: "GRDB.swift"),
            ], path: "Tests/EarshotStorage", swiftSettings: settings),
        .testTarget(
            name: "EarshotMediaTests",
            dependencies: [
                "EarshotAudioFormats", "EarshotCore", "EarshotMedia", "EarshotModel", "EarshotTestKit",
                "EarshotWorkerProtocol",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Logging", package: "swift-log"),
            ] + nio, path: "Tests/EarshotMedia", swiftSettings: settings),
        .testTarget(
            name: "EarshotGatewayTests",
            dependencies: [
                "EarshotCore", "EarshotDomain", "EarshotGateway", "EarshotModel", "EarshotServer", "EarshotStorage",
                "EarshotTestKit",
                .product(name: "Configuration", package: "swift-configuration"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ] + hummingbird + nio, path: "Tests/EarshotGateway", swiftSettings: settings),
        .testTarget(name: "HouseTests", path: "Tests/House", swiftSettings: settings),
    ]
)
