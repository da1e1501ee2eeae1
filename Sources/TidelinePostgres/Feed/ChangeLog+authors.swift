// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

/// The clients whose doing the transactions of the log are.
extension ChangeLog {
    /// Keeps that this transaction is a client's doing, by its end at the latest, where the log has entries of it.
    ///
    /// - Parameter position: of its beginning.
    func setAuthor(_ client: String, since position: FeedPosition) throws {
        guard let since = LogPlace(position) else { throw StorageError.foreignPosition }
        try connection.change(
            """
            INSERT INTO tideline.authors(tx, client) SELECT pg_current_xact_id(), $1
            WHERE EXISTS (SELECT FROM tideline.log WHERE seq > $2 AND tx = pg_current_xact_id())
            """,
            [.text(client), .integer(since.entry)]
        )
    }

    /// Whether a row was changed after a position but by a client, or may have been; true where there is no such row.
    func isChanged(
        _ key: Key,
        of statements: SetStatements,
        since position: FeedPosition,
        exceptBy client: String,
        at now: Moment
    ) throws -> Bool {
        let set = statements.set
        let since: Snapshot
        do { since = try checked(position, now).snapshot } catch is StorageError { return true }
        guard let condition = try statements.condition(key), let captured = try captured(set.names.database)?.table,
            let shape = try Catalog(connection: connection, schema: captured.schema).shapes(captured.name).first
        else { return true }
        let first = condition.values.count
        let result = try connection.query(
            """
            SELECT EXISTS (SELECT FROM tideline.log AS l LEFT JOIN tideline.authors AS a ON a.tx = l.tx
                WHERE l.set_id = \(captured.identifier) AND l.key = k.key
                AND hashtextextended(l.key, 0) = hashtextextended(k.key, 0)
                AND (l.tx >= $\(first + 1)::text::xid8 OR l.tx = ANY($\(first + 2)::text::xid8[]))
                AND a.client IS DISTINCT FROM $\(first + 3))
            FROM (SELECT \(CaptureTriggers(table: captured, shape: shape).key(of: "t0")) AS key
                FROM \(statements.table) AS t0 WHERE \(condition.text) LIMIT 1) AS k
            """,
            condition.values + [.text(String(since.next)), .text(since.openArray), .text(client)]
        )
        return result.rowCount == 0 || result[0].boolean(0) != false
    }
}
