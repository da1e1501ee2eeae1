// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

/// The query for the keys that changed since a snapshot.
///
///     entries that the snapshot does not see ─► by key: the first, and the rank of the last ─► in the order of ranks
///
/// What a snapshot does not see is what began after it, and what was open in it: two ranges of an index, so the cost is
/// that of the changes and of nothing else, however long another transaction has been open.
struct DeltaRequest {
    private static let later: Int64 = 1 << 62

    private let page: LogPlace.Page?
    private let since: Snapshot
    let sql: String
    let parameters: [SQLValue]

    init(query: ChangeQuery, since: Snapshot, page: LogPlace.Page?, captured: CapturedSet) {
        self.since = since
        self.page = page
        var parameters: [SQLValue] = [
            .integer(captured.table.identifier), .text(String(since.next)), .text(since.openArray),
        ]
        // An entry that an earlier page has told is of no rank; of the others first those that its moment saw.
        var rank = "l.seq"
        if let page {
            parameters += [.text(page.done.text), .text(page.moment.text), .integer(page.entry)]
            rank = """
                CASE WHEN pg_visible_in_snapshot(l.tx, $4::text::pg_snapshot) THEN -1
                WHEN NOT pg_visible_in_snapshot(l.tx, $5::text::pg_snapshot) THEN l.seq + \(Self.later)
                WHEN l.seq <= $6::bigint THEN -1 ELSE l.seq END
                """
        }
        let unseen = "(l.tx >= $2::text::xid8 OR l.tx = ANY($3::text::xid8[]))"
        var source = "tideline.log AS l WHERE l.set_id = $1::integer AND \(unseen)"
        if let (property, text) = Self.scope(query, since: since, captured: captured) {
            let place = parameters.count + 1
            parameters += [.text(property), .text(text)]
            let value = "tideline.scope_\(captured.table.identifier)($\(place)::text, $\(place + 1)::text)"
            source = """
                (SELECT DISTINCT s.key FROM tideline.scope AS s WHERE s.set_id = $1::integer
                    AND s.property = $\(place)::text AND s.value = \(value)
                    AND (s.tx >= $2::text::xid8 OR s.tx = ANY($3::text::xid8[]))) AS t
                JOIN tideline.log AS l ON l.set_id = $1::integer AND l.key = t.key
                    AND hashtextextended(l.key, 0) = hashtextextended(t.key, 0)
                WHERE \(unseen)
                """
        }
        let limit = query.limit.flatMap { $0 == .max ? nil : $0 + 1 }
        if let limit { parameters.append(.integer(Int64(limit))) }
        sql = """
            SELECT g.key, f.operation, f.before::text, g.last FROM (
                SELECT l.key, min(l.seq) AS first, max(\(rank)) AS last FROM \(source)
                GROUP BY l.key HAVING max(\(rank)) > -1
                ORDER BY 3\(limit == nil ? "" : " LIMIT $\(parameters.count)::bigint")) AS g
            JOIN tideline.log AS f ON f.seq = g.first ORDER BY g.last
            """
        self.parameters = parameters
    }

    /// Where a page ends whose last key has that rank.
    func page(endingAt rank: Int64, now: Snapshot) -> LogPlace.Page {
        guard let page else { return LogPlace.Page(done: since, moment: now, entry: rank) }
        guard rank >= Self.later else { return LogPlace.Page(done: page.done, moment: page.moment, entry: rank) }
        return LogPlace.Page(done: page.moment, moment: now, entry: rank - Self.later)
    }

    /// The scope by which the log is narrowed, where the log has had it for as long as is asked for.
    private static func scope(
        _ query: ChangeQuery,
        since: Snapshot,
        captured: CapturedSet
    ) -> (property: String, text: String)? {
        guard let scope = query.scope, since.sees(captured.scopeFrom) else { return nil }
        let property = query.set.type.properties[scope.property]
        let column = property.names.database
        guard property.storage == .native, property.enumeration == nil, let text = scope.value.text,
            captured.table.scopes.contains(column)
        else { return nil }
        return (column, text)
    }
}
