// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import Testing
import TidelineModel
import TidelineSQLite
import TidelineStorage

/// A database file in a folder of its own, gone with this object; written by a plain connection as another program would.
final class Scratch {
    let folder: URL
    var path: String { folder.appendingPathComponent("data.sqlite").path }

    init(_ sql: String = "") throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("tideline-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try run(sql)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Runs statements on a connection of its own.
    func run(_ sql: String, foreignKeys: Bool = true) throws {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = foreignKeys
        configuration.busyMode = .timeout(5)
        try DatabaseQueue(path: path, configuration: configuration).writeWithoutTransaction { try $0.execute(sql: sql) }
    }

    /// The rows of a query, columns joined with `|`.
    func rows(_ sql: String) throws -> [String] {
        try DatabaseQueue(path: path).read { connection in
            try Row.fetchAll(connection, sql: sql).map { row in
                row.databaseValues.map { $0.isNull ? "null" : "\($0.storage.value ?? "null")" }.joined(separator: "|")
            }
        }
    }

    /// The whole schema, as the file has it.
    func schema() throws -> [String] {
        try rows("SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY rowid")
    }

    @discardableResult
    func publish(
        viewKeys: [String: [String]] = [:],
        scopes: [String: [String]] = [:]
    ) throws -> Introspection {
        try SQLitePublisher.publish(
            path: path,
            namespace: "Test",
            viewKeys: viewKeys,
            scopes: { _ in scopes },
            beforeCommit: { _ in }
        )
    }

    /// Publishes and opens.
    func store(scopes: [String: [String]] = [:]) throws -> SQLiteStore {
        let model = try publish(scopes: scopes).model
        return try SQLiteStore(path: path, model: model, options: .init(scopes: scopes))
    }
}

extension SQLiteStore {
    /// The keys that changed since a position, with what the before-image says: `(1) new` or `(1) 1|Ann`.
    func changes(_ set: String, since: FeedPosition, scope: ChangeQuery.Scope? = nil) throws -> [String] {
        var lines: [String] = []
        let entitySet = try #require(model[set: set])
        try read { reader in
            lines = []
            try reader.changes(ChangeQuery(set: entitySet, since: since, scope: scope)) { change in
                let key = change.key?.values.map(Self.text).joined(separator: ",") ?? "none"
                let before = change.before.map { $0.map { $0.map(Self.text) ?? "?" }.joined(separator: "|") }
                lines.append("(\(key)) \(before ?? "new")")
            }
        }
        return lines
    }

    func position() throws -> FeedPosition { try read { try $0.position() } }

    static func text(_ value: Value) -> String {
        switch value {
        case .null: "null"
        case .integer(let value): "\(value)"
        case .string(let value): value
        case .boolean(let value): "\(value)"
        case .double(let value): "\(value)"
        default: "\(value)"
        }
    }
}
