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
        .systemLibrary(name: "CTidelineSQLite", providers: [.apt(["libsqlite3-dev"])]),
        .target(
            name: "TidelineSQLite",
            dependencies: [
                "CTidelineSQLite", "TidelineModel", "TidelineStorage",
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
            ],
            exclude: ["Web"],
            plugins: ["TidelineEmbed"]
        ),
        // Puts what browsers load, the files of Sources/TidelineServer/Web, into the program.
        .executableTarget(name: "TidelineEmbedder"),
        .plugin(name: "TidelineEmbed", capability: .buildTool(), dependencies: ["TidelineEmbedder"]),
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
        // Devices, services, network, disk and clock in one deterministic process.
        .target(
            name: "TidelineSimulator",
            dependencies: [
                "TidelineModel", "TidelineOData", "TidelineStorage", "TidelineMemory", "TidelineSQLite",
                "TidelineService", "TidelineClient", "TidelineStore", "TidelineSync",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]
        ),
        .executableTarget(
            name: "TidelineTool",
            dependencies: [
                "TidelineGenerator", "TidelineModel", "TidelineOData", "TidelineStorage", "TidelineSQLite",
                "TidelinePostgres", "TidelineService", "TidelineAccounts", "TidelineServer", "TidelineClient",
                "TidelineStore", "TidelineSync", "TidelineSimulator",
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
        // Tests mirror the sources, see below; TidelineTestSupport holds what they share.
        .target(name: "TidelineTestSupport", path: "Tests/Support"),
        // They run the compiler with the built plugin; depending on the macro would build everything twice, see Expansion.
        .testTarget(name: "TidelineMacrosTests", dependencies: ["TidelineTestSupport", "Tideline"]),
        // The devices of script/faults: an app, killed and started again; no product.
        .executableTarget(name: "FaultDevice", dependencies: ["Tideline"], path: "Tests/FaultDevice"),
        // What script/bench runs; no product.
        .executableTarget(
            name: "Bench",
            dependencies: [
                "Tideline", "TidelineModel", "TidelineOData", "TidelineStorage", "TidelineSQLite", "TidelinePostgres",
                "TidelineService", "TidelineAccounts", "TidelineServer", "TidelineClient", "TidelineStore",
                "TidelineSync",
                "TidelineSimulator",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
            ],
            path: "Benchmarks",
            exclude: ["Peers"]
        ),
    ]
)

// What the tests of each target need beside it.
let http = Target.Dependency.product(name: "HTTPTypes", package: "swift-http-types")
let database = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let evaluators: [Target.Dependency] = ["TidelineOData", "TidelineStorage", "TidelineStorageTesting", "TidelineMemory"]
let tests: KeyValuePairs<String, [Target.Dependency]> = [
    "TidelineModel": [],
    "TidelineOData": ["TidelineModel", http],
    "TidelineStorage": ["TidelineModel"],
    "TidelineSQLite": ["TidelineModel", database] + evaluators,
    "TidelineMemory": [
        "TidelineModel", "TidelineOData", "TidelineStorage", "TidelineStorageTesting",
    ],
    "TidelinePostgres": ["TidelineModel"] + evaluators,
    "TidelineService": [
        "TidelineModel", "TidelineOData", "TidelineStorage", "TidelineSQLite", "TidelineMemory", "TidelinePostgres",
        http, database,
    ],
    "TidelineAccounts": ["TidelineModel", "TidelineStorage", "TidelineSQLite"],
    "TidelineServer": [
        "TidelineModel", "TidelineOData", "TidelineStorage", "TidelineSQLite", "TidelineService", "TidelineAccounts",
        http, .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "HummingbirdTesting", package: "hummingbird"),
        .product(name: "Logging", package: "swift-log"), .product(name: "NIOCore", package: "swift-nio"),
    ],
    "TidelineClient": ["TidelineModel", "TidelineOData", http],
    "TidelineStore": ["TidelineModel", "TidelineStorage", "TidelineSQLite", database],
    "TidelineSync": [
        "TidelineModel", "TidelineOData", "TidelineStorage", "TidelineSQLite", "TidelineMemory", "TidelinePostgres",
        "TidelineService", "TidelineClient", "TidelineStore", "Tideline", http, database,
        // The wire of an older app is asked of the server itself.
        "TidelineAccounts", "TidelineServer", .product(name: "HummingbirdTesting", package: "hummingbird"),
        .product(name: "Logging", package: "swift-log"),
    ],
    "TidelineSimulator": ["TidelineModel", "TidelineStorage", "TidelineStore", database],
    "Tideline": ["TidelineModel", "TidelineStorage", "TidelineStore", http],
]
for (name, needs) in tests {
    let dependencies: [Target.Dependency] = ["TidelineTestSupport", .target(name: name)]
    let exclude = name == "TidelineSimulator" ? ["FailedSeeds.txt"] : []
    package.targets.append(.testTarget(name: name + "Tests", dependencies: dependencies + needs, exclude: exclude))
}
// They start the built program; depending on it would bring its main into the tests.
package.targets.append(
    .testTarget(
        name: "TidelineToolTests",
        dependencies: [
            "TidelineTestSupport", "Tideline", "TidelineModel", "TidelineStorage", "TidelineSQLite", database,
        ]
    )
)

// The examples: of each its library, its program and its tests.
for name in ["SixBookmarks", "Conference", "Shopping", "PCTrade"] {
    let (sources, tests) = ("Examples/\(name)/Sources/\(name)", "Examples/\(name)/Tests/\(name)Tests")
    let parts: [Target.Dependency] = [.target(name: name), "Tideline"]
    let screens: [Target.Dependency] = name == "SixBookmarks" ? ["SixBookmarksModels", "SixBookmarksTerminal"] : []
    package.products.append(.executable(name: name.lowercased(), targets: [name + "Tool"]))
    package.targets += [
        .target(name: name, dependencies: ["Tideline"], path: sources),
        .executableTarget(name: name + "Tool", dependencies: parts + screens, path: sources + "Tool"),
        .testTarget(name: name + "Tests", dependencies: parts + ["TidelineTestSupport"], path: tests),
    ]
}

// Six Bookmarks has its screens without a terminal, and the terminal without the screens' rules; both are tested in place.
let bookmarks: [Target.Dependency] = ["SixBookmarks", "SixBookmarksModels", "Tideline"]
package.targets += [
    .target(
        name: "SixBookmarksModels",
        dependencies: ["SixBookmarks", "Tideline"],
        path: "Examples/SixBookmarks/Sources/SixBookmarksModels"
    ),
    .target(
        name: "SixBookmarksTerminal",
        dependencies: bookmarks,
        path: "Examples/SixBookmarks/Sources/SixBookmarksTerminal"
    ),
    .testTarget(
        name: "SixBookmarksAppTests",
        dependencies: bookmarks + [
            "SixBookmarksTerminal", "TidelineTestSupport", "TidelineClient", "TidelineModel", "TidelineService",
            "TidelineStorage", "TidelineSQLite", database, http,
        ],
        path: "Examples/SixBookmarks/Tests/SixBookmarksAppTests"
    ),
]

// script/test builds once, optimized, and tests what is inside of these modules. On the command line the flag would hold
// for the packages that they need, too, whose insides nobody tests. Tests, what serves them alone, and the outermost
// modules, where no test spends its time, are built without the optimizer.
let isForTests = Context.environment["TIDELINE_TESTABLE"] != nil
let supports: Set = ["TidelineStorageTesting", "TidelineTestSupport", "FaultDevice", "Bench"]
let outermost: Set = ["TidelinePostgres", "TidelineServer", "TidelineTool", "SixBookmarksTerminal"]
for target in package.targets where ![.macro, .plugin, .system].contains(target.type) {
    if isForTests {
        let isSupport = target.type == .test || supports.contains(target.name)
        let isSlow = isSupport || outermost.contains(target.name)
        target.swiftSettings = [.unsafeFlags((isSupport ? [] : ["-enable-testing"]) + (isSlow ? ["-Onone"] : []))]
    }
    let features = [
        "ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility", "InferIsolatedConformances",
        "NonisolatedNonsendingByDefault", "ImmutableWeakCaptures",
    ]
    target.swiftSettings = (target.swiftSettings ?? []) + features.map { .enableUpcomingFeature($0) }
    // The peers of a benchmark speak to SQLite in C, as their users do.
    if target.name != "Bench" { target.swiftSettings?.append(.strictMemorySafety()) }
}
