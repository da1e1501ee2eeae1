// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// A device of a test: a store file, a configuration folder, and the tool run on them.
struct Device: Sendable {
    let file: String
    var tool: Tool

    /// Clones a domain into a new file.
    init(
        _ name: String,
        of domain: String,
        in folder: TemporaryFolder,
        arguments: [String] = [],
        password: String? = nil
    )
        throws
    {
        file = folder.file(name + ".store")
        let home = folder.file(name + ".home")
        try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
        tool = Tool(home: home)
        let result = try tool.run(
            arguments: ["clone", domain, file] + arguments,
            input: password.map { $0 + "\n" } ?? ""
        )
        try #require(result.status == 0, "clone \(domain)\n\(result)")
    }

    /// The rows that a query finds, one object each.
    func query(_ query: String, location: SourceLocation = #_sourceLocation) throws -> [[String: JSON]] {
        let result = try tool.succeed("query", file, query, "--json", location: location)
        return try result.lines.map { try JSONDecoder().decode([String: JSON].self, from: Data($0.utf8)) }
    }

    /// One property of the rows that a query finds.
    func values(of property: String, in query: String, location: SourceLocation = #_sourceLocation) throws -> [JSON] {
        try self.query(query, location: location).map { $0[property] ?? .null }
    }

    func insert(_ set: String, _ json: String, location: SourceLocation = #_sourceLocation) throws {
        try tool.succeed("insert", file, set, json, location: location)
    }

    func update(_ set: String, _ key: String, _ json: String, location: SourceLocation = #_sourceLocation) throws {
        try tool.succeed("update", file, set, key, json, location: location)
    }

    func delete(_ set: String, _ key: String, location: SourceLocation = #_sourceLocation) throws {
        try tool.succeed("delete", file, set, key, location: location)
    }

    @discardableResult
    func sync(location: SourceLocation = #_sourceLocation) throws -> ProcessResult {
        try tool.succeed("sync", file, location: location)
    }

    /// Fails the test unless every row equals the server's.
    func verify(location: SourceLocation = #_sourceLocation) throws {
        try tool.succeed("verify", file, location: location)
    }

    /// The same device with a fail point set.
    func failing(at point: String) -> Device {
        var copy = self
        copy.tool.environment["TIDELINE_FAIL_POINT"] = point
        return copy
    }
}
