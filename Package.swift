// swift-tools-version: 6.2
// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import CompilerPluginSupport
import PackageDescription

let onLinux = TargetDependencyCondition.when(platforms: [.linux])

let package = Package(
    name: "tideline",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "Tideline", targets: ["Tideline"]),
        .library(name: "TidelineOData", targets: ["TidelineOData"]),
        .library(name: "TidelineService", targets: ["TidelineService", "TidelineSQLite", "TidelinePostgres"]),
        .library(name: "TidelineServer", targets: ["TidelineServer", "TidelineAccounts"]),
        .executable(name: "tideline", targets: ["TidelineTool"]),
        .plugin(name: "TidelineGenerate", targets: ["TidelineGenerate"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-crypto.git", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-http-types.git", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-nio-extras.git", from: "1.35.2"),
        .package(url: "https://github.com/groue/GRDB.swift.git", from: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird.git", from: "2.28.1", traits: []),
        .package(url: "https://github.com/hummingbird-project/swift-mustache.git", from: "2.1.1"),
        .package(url: "https://github.com/jpsim/Yams.git", from: "6.2.2"),
        .package(url: "https://github.com/swift-server/async-http-client.git", from: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.13.0"),
        .package(url: "https://github.com/swiftlang/swift-syntax.git", from: "603.0.1"),
    ],
    targets: [
        // The house, from the ground up: docs/architecture.md draws the graph, script/check holds it.
        .target(name: "TidelineModel"),
        .target(
            name: "TidelineOData",
            dependencies: ["TidelineModel", .product(name: "HTTPTypes", package: "swift-http-types")]
        ),
        .target(name: "TidelineStorage", dependencies: ["TidelineModel"]),
        .target(
            name: "TidelineSQLite",
            dependencies: [
                "TidelineModel", "TidelineStorage",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ]
        ),
        // The reference store: in memory, with many versions, deterministic.
        .target(name: "TidelineMemory", dependencies: ["TidelineModel", "TidelineStorage"]),
        .systemLibrary(name: "CPostgres", pkgConfig: "libpq", providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
        .target(name: "TidelinePostgres", dependencies: ["CPostgres", "TidelineModel", "TidelineStorage"]),
        // What every store must keep, as tests that each store's own tests run.
        .target(name: "TidelineStorageTesting", dependencies: ["TidelineModel", "TidelineStorage"]),
        .target(
            name: "TidelineService",
            dependencies: [
                "TidelineModel", "TidelineOData", "TidelineStorage",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Yams", package: "Yams"),
            ]
        ),
        .target(
            name: "TidelineAccounts",
            dependencies: [
                "TidelineModel", "TidelineStorage",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
            ]
        ),
        .target(
            name: "TidelineServer",
            dependencies: [
                "TidelineModel", "TidelineOData", "TidelineStorage", "TidelineService", "TidelineAccounts",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "HummingbirdTLS", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Mustache", package: "swift-mustache"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTPCompression", package: "swift-nio-extras"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ]
        ),
        .target(
            name: "TidelineClient",
            dependencies: [
                "TidelineModel", "TidelineOData",
                .product(name: "AsyncHTTPClient", package: "async-http-client", condition: onLinux),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio", condition: onLinux),
                .product(name: "NIOHTTP1", package: "swift-nio", condition: onLinux),
                .product(name: "NIOHTTPCompression", package: "swift-nio-extras", condition: onLinux),
            ]
        ),
        .target(
            name: "TidelineStore",
            dependencies: [
                "TidelineModel", "TidelineOData", "TidelineStorage", "TidelineSQLite",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ]
        ),
        .target(
            name: "TidelineSync",
            dependencies: [
                "TidelineModel", "TidelineOData", "TidelineStorage", "TidelineClient", "TidelineStore",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]
        ),
        .macro(
            name: "TidelineMacros",
            dependencies: [
                .product(name: "SwiftCompilerPlugin", package: "swift-syntax"),
                .product(name: "SwiftDiagnostics", package: "swift-syntax"),
                .product(name: "SwiftSyntax", package: "swift-syntax"),
                .product(name: "SwiftSyntaxBuilder", package: "swift-syntax"),
                .product(name: "SwiftSyntaxMacros", package: "swift-syntax"),
            ]
        ),
        .target(
            name: "Tideline",
            dependencies: [
                "TidelineMacros", "TidelineModel", "TidelineOData", "TidelineStorage", "TidelineMemory",
                "TidelineStore", "TidelineClient", "TidelineSync",
            ]
        ),
        .target(name: "TidelineGenerator", dependencies: ["TidelineModel", "TidelineStorage"]),
        .executableTarget(
            name: "TidelineTool",
            dependencies: [
                "TidelineGenerator", "TidelineModel", "TidelineOData", "TidelineStorage", "TidelineSQLite",
                "TidelinePostgres", "TidelineService", "TidelineAccounts", "TidelineServer", "TidelineClient",
                "TidelineStore", "TidelineSync",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
        .plugin(
            name: "TidelineGenerate",
            capability: .command(
                intent: .custom(verb: "tideline-generate", description: "Write entities in Swift from a model."),
                permissions: [
                    .writeToPackageDirectory(reason: "The generated files stand in it."),
                    .allowNetworkConnections(scope: .all(ports: []), reason: "The model is that of a service."),
                ]
            )
        ),
        // Tests mirror the sources; TidelineTestSupport holds what they share.
        .target(name: "TidelineTestSupport", path: "Tests/Support"),
        .testTarget(name: "TidelineModelTests", dependencies: ["TidelineTestSupport", "TidelineModel"]),
        .testTarget(
            name: "TidelineODataTests",
            dependencies: [
                "TidelineTestSupport", "TidelineModel", "TidelineOData",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]
        ),
        .testTarget(
            name: "TidelineStorageTests",
            dependencies: ["TidelineTestSupport", "TidelineModel", "TidelineStorage"]
        ),
        .testTarget(
            name: "TidelineSQLiteTests",
            dependencies: [
                "TidelineTestSupport", "TidelineModel", "TidelineStorage", "TidelineStorageTesting", "TidelineMemory",
                "TidelineSQLite", "TidelineOData",
                .product(name: "GRDB", package: "GRDB.swift"),
            ]
        ),
        .testTarget(
            name: "TidelineMemoryTests",
            dependencies: [
                "TidelineTestSupport", "TidelineModel", "TidelineOData", "TidelineStorage", "TidelineStorageTesting",
                "TidelineMemory",
            ]
        ),
        .testTarget(
            name: "TidelinePostgresTests",
            dependencies: [
                "TidelineTestSupport", "TidelineModel", "TidelineOData", "TidelineStorage", "TidelineStorageTesting",
                "TidelineMemory", "TidelinePostgres",
            ]
        ),
        .testTarget(
            name: "TidelineServiceTests",
            dependencies: [
                "TidelineTestSupport", "TidelineModel", "TidelineOData", "TidelineStorage", "TidelineSQLite",
                "TidelineMemory", "TidelinePostgres", "TidelineService",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "GRDB", package: "GRDB.swift"),
            ]
        ),
        .testTarget(
            name: "TidelineAccountsTests",
            dependencies: [
                "TidelineTestSupport", "TidelineModel", "TidelineStorage", "TidelineSQLite", "TidelineAccounts",
            ]
        ),
        .testTarget(
            name: "TidelineServerTests",
            dependencies: [
                "TidelineTestSupport", "TidelineModel", "TidelineOData", "TidelineStorage", "TidelineSQLite",
                "TidelineService", "TidelineAccounts", "TidelineServer",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdTesting", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
            ]
        ),
        .testTarget(
            name: "TidelineClientTests",
            dependencies: [
                "TidelineTestSupport", "TidelineModel", "TidelineOData", "TidelineClient",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]
        ),
        .testTarget(
            name: "TidelineStoreTests",
            dependencies: [
                "TidelineTestSupport", "TidelineModel", "TidelineStorage", "TidelineSQLite", "TidelineStore",
                .product(name: "GRDB", package: "GRDB.swift"),
            ]
        ),
        .testTarget(
            name: "TidelineSyncTests",
            dependencies: [
                "TidelineTestSupport", "TidelineModel", "TidelineOData", "TidelineStorage", "TidelineSQLite",
                "TidelineService", "TidelineClient", "TidelineStore", "TidelineSync", "Tideline",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "GRDB", package: "GRDB.swift"),
            ]
        ),
        .testTarget(
            name: "TidelineTests",
            dependencies: [
                "TidelineTestSupport", "Tideline", "TidelineModel", "TidelineStorage", "TidelineStore",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]
        ),
        // They run the compiler with the built plugin; depending on the macro would build everything twice, see Expansion.
        .testTarget(name: "TidelineMacrosTests", dependencies: ["TidelineTestSupport", "Tideline"]),
        // What script/bench runs; no product.
        .executableTarget(
            name: "Bench",
            dependencies: [
                "Tideline", "TidelineModel", "TidelineOData", "TidelineStorage", "TidelineSQLite", "TidelinePostgres",
                "TidelineService", "TidelineAccounts", "TidelineServer", "TidelineStore", "TidelineSync",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
            ],
            path: "Benchmarks"
        ),
        .testTarget(
            name: "TidelineToolTests",
            dependencies: [
                "TidelineTestSupport", "Tideline", "TidelineModel", "TidelineStorage", "TidelineSQLite",
                .product(name: "GRDB", package: "GRDB.swift"),
            ]
        ),
    ]
)

// The examples: of each its library, its program and its tests.
for name in ["SixBookmarks", "Conference", "Shopping", "PCTrade"] {
    let (sources, tests) = ("Examples/\(name)/Sources/\(name)", "Examples/\(name)/Tests/\(name)Tests")
    let parts: [Target.Dependency] = [.target(name: name), "Tideline"]
    package.products.append(.executable(name: name.lowercased(), targets: [name + "Tool"]))
    package.targets += [
        .target(name: name, dependencies: ["Tideline"], path: sources),
        .executableTarget(name: name + "Tool", dependencies: parts, path: sources + "Tool"),
        .testTarget(name: name + "Tests", dependencies: parts + ["TidelineTestSupport"], path: tests),
    ]
}

for target in package.targets where ![.macro, .plugin, .system].contains(target.type) {
    let features = [
        "ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility", "InferIsolatedConformances",
        "NonisolatedNonsendingByDefault", "ImmutableWeakCaptures",
    ]
    target.swiftSettings = (target.swiftSettings ?? []) + features.map { .enableUpcomingFeature($0) }
    // The peers of a benchmark speak to SQLite in C, as their users do.
    if target.name != "Bench" { target.swiftSettings?.append(.strictMemorySafety()) }
}
