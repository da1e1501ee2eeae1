// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import GRDB
import TidelineModel
import TidelineStorage

/// Reads the change log of one snapshot.
struct ChangeLog {
    let connection: Database

    /// A position: the epoch of the log, the newest entry seen and its nonce.
    private struct Place {
        var epoch: [UInt8]
        var seq: Int64
        var nonce: Int64

        init(epoch: [UInt8], seq: Int64, nonce: Int64) {
            self.epoch = epoch
            self.seq = seq
            self.nonce = nonce
        }

        /// One byte of format, 16 of epoch, 8 of sequence, 8 of nonce.
        init?(_ position: FeedPosition) {
            guard position.bytes.count == 33, position.bytes[0] == 1 else { return nil }
            epoch = Array(position.bytes[1..<17])
            seq = Self.number(position.bytes[17..<25])
            nonce = Self.number(position.bytes[25..<33])
        }

        var position: FeedPosition { FeedPosition(bytes: [1] + epoch + Self.bytes(seq) + Self.bytes(nonce)) }

        private static func number(_ bytes: ArraySlice<UInt8>) -> Int64 {
            Int64(bitPattern: bytes.reduce(0) { $0 << 8 | UInt64($1) })
        }

        private static func bytes(_ number: Int64) -> [UInt8] {
            (0..<8).map { UInt8(truncatingIfNeeded: number >> Int64(56 - $0 * 8)) }
        }
    }

    private func epoch() throws -> [UInt8] { try Capture(connection: connection).stateBytes("epoch") ?? [] }

    /// The end of the log.
    func position() throws -> FeedPosition {
        let statement = try PreparedStatement.cached(
            connection,
            "SELECT seq, nonce FROM tideline_log ORDER BY seq DESC LIMIT 1"
        )
        defer { statement.reset() }
        guard try statement.step() else { return Place(epoch: try epoch(), seq: 0, nonce: 0).position }
        return Place(epoch: try epoch(), seq: statement.integer(0), nonce: statement.integer(1)).position
    }

    /// Makes sure that this log continues what a position has seen.
    private func checked(_ position: FeedPosition) throws -> Place {
        guard let place = Place(position) else {
            throw StorageError.foreignPosition
        }
        guard try place.epoch == epoch() else {
            throw StorageError.epochChanged
        }
        let compacted = Int64(try Capture(connection: connection).state("compacted") ?? "0") ?? 0
        if place.seq == 0 {
            guard compacted == 0 else { throw StorageError.compactedAway }
            return place
        }
        let statement = try PreparedStatement.cached(connection, "SELECT nonce FROM tideline_log WHERE seq = ?")
        statement.bind(place.seq, 1)
        defer { statement.reset() }
        guard try statement.step() else {
            throw place.seq <= compacted ? StorageError.compactedAway : .logRestored
        }
        guard statement.integer(0) == place.nonce else { throw StorageError.logRestored }
        return place
    }

    /// See ``StoreReader/changes(_:_:)``.
    func changes(
        _ query: ChangeQuery,
        of model: EntityModel,
        _ receive: (ChangedKey) throws -> Void
    ) throws -> FeedPosition? {
        let since = try checked(query.since)
        let after = try query.after.map(checked)
        guard let captured = try captured(query.set.names.database) else {
            throw StorageError.uncaptured(query.set)
        }
        let decoder = try LogDecoder(set: query.set, table: captured.table, model: model)
        let statement = try statement(for: query, of: model, captured, since: since.seq)
        defer { statement.reset() }
        statement.bind(query.set.names.database, 1)
        statement.bind(since.seq, 2)
        statement.bind(after?.seq ?? since.seq, 3)
        let limit = query.limit ?? .max
        var pushed = 0
        var last = Place(epoch: since.epoch, seq: 0, nonce: 0)
        while try statement.step() {
            if pushed == limit { return last.position }
            let isNew = statement.string(1) == "I"
            let before = isNew ? nil : try unsafe decoder.image(statement.text(2))
            try receive(ChangedKey(key: try unsafe decoder.key(statement.text(0)), before: before))
            pushed += 1
            last.seq = statement.integer(3)
            last.nonce = statement.integer(4)
        }
        return nil
    }

    /// The tables with entries after a position.
    func changedTables(since position: FeedPosition) throws -> Set<String> {
        let since = try checked(position)
        let statement = try PreparedStatement.cached(
            connection,
            "SELECT DISTINCT set_name FROM tideline_log NOT INDEXED WHERE seq > ?"
        )
        defer { statement.reset() }
        statement.bind(since.seq, 1)
        var tables: Set<String> = []
        while try statement.step() { tables.insert(statement.string(0) ?? "") }
        return tables
    }

    /// Whether a row was changed after a position but by a client, or may have been.
    func isChanged(
        _ key: Key,
        of statements: SetStatements,
        since position: FeedPosition,
        exceptBy client: String
    ) throws -> Bool {
        let since: Place
        do { since = try checked(position) } catch is StorageError { return true }
        guard let captured = try captured(statements.set.names.database) else { return true }
        return try ChangeAuthors(connection: connection).isChanged(
            key,
            of: statements,
            loggedBy: captured.table.key,
            after: since.seq,
            exceptBy: client
        )
    }

    /// Keeps that all entries after a position are of a client.
    func setAuthor(_ client: String, since position: FeedPosition) throws {
        guard let since = Place(position) else { throw StorageError.foreignPosition }
        try ChangeAuthors(connection: connection).add(client, after: since.seq)
    }

    /// Whether an entry came after a position; true where the position is of another log.
    func isLater(_ entry: Int64, than position: FeedPosition) throws -> Bool {
        do { return try entry > checked(position).seq } catch let error as StorageError {
            // What was compacted away came before what is there; the number of a position stays what it was.
            guard error.code == .gone, let place = Place(position) else { return true }
            return entry > place.seq
        }
    }

    /// The query for changed keys; parameters 1 to 3 are set, `since` and `after`.
    private func statement(
        for query: ChangeQuery,
        of model: EntityModel,
        _ captured: (table: CapturedTable, scopeFrom: Int64),
        since: Int64
    ) throws -> PreparedStatement {
        let result = """
            SELECT g.key, l.operation, l.before, g.last, e.nonce FROM g
            JOIN tideline_log AS l ON l.seq = g.first JOIN tideline_log AS e ON e.seq = g.last ORDER BY g.last
            """
        if let scope = query.scope, since >= captured.scopeFrom {
            let property = query.set.type.properties[scope.property]
            if captured.table.scopes.contains(property.names.database), !scope.value.isNull {
                let statement = try PreparedStatement.cached(
                    connection,
                    """
                    WITH touched AS MATERIALIZED (
                        SELECT DISTINCT l.key FROM tideline_scope AS s JOIN tideline_log AS l ON l.seq = s.seq
                        WHERE s.set_name = ?1 AND s.property = ?4 AND s.value = ?5 AND s.seq > ?2),
                    g AS MATERIALIZED (
                        SELECT l.key, min(l.seq) AS first, max(l.seq) AS last
                        FROM touched AS t CROSS JOIN tideline_log AS l ON l.set_name = ?1 AND l.key = t.key
                        WHERE l.seq > ?2 GROUP BY l.key HAVING max(l.seq) > ?3)
                    \(result)
                    """
                )
                statement.bind(property.names.database, 4)
                let type = model.enumeration(of: property)
                try ColumnWriter(property, set: query.set.names.wire, enumeration: type).bind(scope.value, statement, 5)
                return statement
            }
        }
        return try PreparedStatement.cached(
            connection,
            """
            WITH g AS MATERIALIZED (
                SELECT key, min(seq) AS first, max(seq) AS last FROM tideline_log NOT INDEXED
                WHERE seq > ?2 AND set_name = ?1 GROUP BY key HAVING max(seq) > ?3)
            \(result)
            """
        )
    }

    func captured(_ table: String) throws -> (table: CapturedTable, scopeFrom: Int64)? {
        let statement = try PreparedStatement.cached(
            connection,
            "SELECT key_columns, columns, scopes, scope_from FROM tideline_capture WHERE table_name = ?"
        )
        statement.bind(table, 1)
        defer { statement.reset() }
        guard try statement.step() else { return nil }
        let found = CapturedTable(
            name: table,
            key: try QuotedValue.texts(statement.string(0) ?? ""),
            columns: try QuotedValue.texts(statement.string(1) ?? ""),
            scopes: try QuotedValue.texts(statement.string(2) ?? "")
        )
        return (found, statement.integer(3))
    }
}
