// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage
import TidelineTestSupport

@testable import TidelinePostgres

/// A database of the test cluster that is published, with one session of its own, as the service would use it.
struct Published {
    let conninfo: String
    let model: EntityModel
    let connection: PostgresConnection

    init(_ sql: String, scopes: [String: [String]] = [:]) throws {
        conninfo = try PostgresCluster.shared().makeDatabase(sql)
        model = try PostgresPublisher.publish(conninfo: conninfo, namespace: "Test", scopes: { _ in scopes }) { _ in }
            .model
        connection = try PostgresConnection(conninfo)
    }

    /// A new session with the database of that name, which may be another one by now.
    init(again other: Published) throws {
        conninfo = other.conninfo
        model = other.model
        connection = try PostgresConnection(conninfo)
    }

    /// Runs SQL in a session of another program.
    @discardableResult
    func run(_ sql: String) throws -> String {
        let cluster = try PostgresCluster.shared()
        return try cluster.run(sql, database: cluster.name(of: conninfo))
    }

    /// The position of now, lost capture restored.
    func position() throws -> FeedPosition {
        if let position = try? Self.position(on: connection) { return position }
        try connection.transaction(.write) { try Capture(connection: connection).restore() }
        return try Self.position(on: connection)
    }

    static func position(on connection: PostgresConnection) throws -> FeedPosition {
        try connection.transaction(.read) {
            guard try Capture(connection: connection).isWhole() else { throw Lost() }
            return try ChangeLog(connection: connection).position()
        }
    }

    struct Lost: Error {}

    /// The changed keys with their before-images as text: `1 ← 1,Ann,-`, without an image for what was new.
    func changes(
        _ set: String,
        since: FeedPosition,
        scope: ChangeQuery.Scope? = nil
    ) throws -> [String] {
        try page(set, since: since, scope: scope).changes
    }

    /// One page of changes, and where it ended.
    func page(
        _ set: String,
        since: FeedPosition,
        after: FeedPosition? = nil,
        limit: Int? = nil,
        scope: ChangeQuery.Scope? = nil
    ) throws -> (changes: [String], end: FeedPosition?) {
        try connection.transaction(.read) { try read(set, since, after, limit, scope) }
    }

    /// The changes since a position, and the position that goes with them.
    func step(_ set: String, since: FeedPosition) throws -> (changes: [String], next: FeedPosition) {
        try connection.transaction(.read) {
            (try read(set, since).changes, try ChangeLog(connection: connection).position())
        }
    }

    private func read(
        _ set: String,
        _ since: FeedPosition,
        _ after: FeedPosition? = nil,
        _ limit: Int? = nil,
        _ scope: ChangeQuery.Scope? = nil
    ) throws -> (changes: [String], end: FeedPosition?) {
        guard let set = model[set: set] else { return ([], nil) }
        var changes: [String] = []
        let query = ChangeQuery(set: set, since: since, after: after, limit: limit, scope: scope)
        let end = try ChangeLog(connection: connection).changes(query, in: model) { change in
            let key = change.key?.values.map { $0.text ?? "null" }.joined(separator: ",") ?? "none"
            let before = change.before.map { row in
                " ← " + row.map { $0.map { $0.text ?? "null" } ?? "-" }.joined(separator: ",")
            }
            changes.append(key + (before ?? ""))
        }
        return (changes, end)
    }

    /// Compacts the log; how many entries were removed.
    func compact(keeping entries: Int64) throws -> Int {
        try connection.transaction(.write) {
            try ChangeLog(connection: connection)
                .compact(LogRetention(entries: entries), now: 0, limit: .max).removed
        }
    }
}
