// swift-tools-version: 6.2
// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

// A package of its own, so that nobody who uses Tideline resolves what only benchmarks need.
let package = Package(
    name: "tideline-benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "tideline", path: ".."),
        .package(url: "https://github.com/apple/swift-http-types.git", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.16.2"),
        .package(url: "https://github.com/groue/GRDB.swift.git", from: "7.10.0"),
    ],
    targets: [
        .executableTarget(
            name: "Bench",
            dependencies: [
                .product(name: "Tideline", package: "tideline"),
                .product(name: "TidelineOData", package: "tideline"),
                .product(name: "TidelineServer", package: "tideline"),
                .product(name: "TidelineService", package: "tideline"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
                .product(name: "Logging", package: "swift-log"),
            ]
        )
    ]
)
