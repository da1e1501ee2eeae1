// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

/// Reads the change log of one snapshot.
///
/// In a transaction of one snapshot, after capture was found whole in it.
struct ChangeLog {
    let connection: PostgresConnection

    /// What one moment knows of the log.
    struct Moment {
        /// Whether capture was found whole.
        var isWhole: Bool
        var epoch: [UInt8]
        var reason: String
        var system: UInt64
        var timeline: UInt32
        /// What this moment sees, told by transactions alone whose numbers PostgreSQL gives to no others.
        ///
        /// The number of a transaction that ended without a lasting trace is given again after a crash: who took it for
        /// seen would never see what the other one does. What is in the log has left a trace.
        var snapshot: Snapshot
        /// One above the highest transaction that was done, with a trace or without.
        var next: UInt64
        /// What is below it was compacted.
        var compacted: UInt64
        /// The newest entry, 0 for an empty log, with its nonce.
        var entry: Int64
        var nonce: [UInt8]
    }

    /// Looks at the log, and at capture in the same statement.
    func moment() throws -> Moment {
        let result = try connection.query(
            """
            SELECT e.epoch, e.reason, pg_current_snapshot()::text,
                (SELECT value FROM tideline.state WHERE name = 'identity'),
                (SELECT value FROM tideline.state WHERE name = 'compacted'), n.seq, uuid_send(n.nonce),
                \(CaptureSchema.isWhole),
                (SELECT c.scope_from::text FROM tideline.capture AS c ORDER BY c.scope_from DESC LIMIT 1),
                (SELECT l.tx::text FROM tideline.capture AS c CROSS JOIN LATERAL (
                    SELECT tx FROM tideline.log WHERE set_id = c.set_id ORDER BY tx DESC LIMIT 1) AS l
                    ORDER BY l.tx DESC LIMIT 1),
                (SELECT value FROM tideline.state WHERE name = 'left')
            FROM (\(CaptureSchema.epoch)) AS e(epoch, reason)
            LEFT JOIN (SELECT seq, nonce FROM tideline.log ORDER BY seq DESC LIMIT 1) AS n ON true
            """,
            isKept: true
        )
        let identity = (result[0].string(3) ?? "").split(separator: ":").map(String.init)
        guard let epoch = result[0].string(0), let snapshot = result[0].string(2).flatMap(Snapshot.init(_:)),
            identity.count == 4, let system = UInt64(identity[0])
        else {
            throw StorageError(.corrupt, message: "The state of change capture is damaged; publish the database anew.")
        }
        let compacted = result[0].string(4).flatMap { UInt64($0) } ?? 0
        let lasting = (8...10).compactMap { result[0].string($0).flatMap { UInt64($0) }.map { $0 + 1 } }
        return Moment(
            isWhole: result[0].boolean(7) ?? false,
            epoch: Capture.bytes(epoch),
            reason: result[0].string(1) ?? "",
            system: system,
            timeline: UInt32(identity[1], radix: 16) ?? 0,
            snapshot: snapshot.below(max(compacted, lasting.max() ?? 0)),
            next: snapshot.next,
            compacted: compacted,
            entry: result[0].integer(5) ?? 0,
            nonce: result[0].blob(6) ?? [UInt8](repeating: 0, count: LogPlace.nonceLength)
        )
    }

    /// The end of the log.
    func position() throws -> FeedPosition { Self.position(try moment()) }

    /// The end of the log at a moment.
    static func position(_ moment: Moment) -> FeedPosition {
        LogPlace(
            epoch: moment.epoch,
            system: moment.system,
            timeline: moment.timeline,
            snapshot: moment.snapshot,
            entry: moment.entry,
            nonce: moment.nonce
        ).position
    }

    /// Makes sure that this log continues what a position has seen.
    func checked(_ position: FeedPosition, _ now: Moment) throws -> LogPlace {
        guard let place = LogPlace(position) else {
            throw StorageError.foreignPosition
        }
        guard place.system == now.system, place.timeline == now.timeline else { throw StorageError.logRestored }
        guard place.epoch == now.epoch else {
            guard now.reason != "restored" else { throw StorageError.logRestored }
            throw StorageError.epochChanged
        }
        // A server that has not come so far was set back.
        guard place.snapshot.next <= now.next else { throw StorageError.logRestored }
        guard place.snapshot.lowest >= now.compacted else { throw StorageError.compactedAway }
        guard place.entry > 0 else { return place }
        if place.entry == now.entry {
            guard place.nonce == now.nonce else { throw StorageError.logRestored }
            return place
        }
        let entry = try connection.query(
            "SELECT uuid_send(nonce) FROM tideline.log WHERE seq = $1",
            [.integer(place.entry)],
            isKept: true
        )
        guard entry.rowCount == 1 else {
            // An entry before all that are kept was removed, whatever else was seen beside it.
            let first = try connection.query("SELECT min(seq) FROM tideline.log", isKept: true)[0].integer(0) ?? 0
            throw now.compacted > 0 && place.entry < first ? StorageError.compactedAway : .logRestored
        }
        guard entry[0].blob(0) == place.nonce else { throw StorageError.logRestored }
        return place
    }

    /// See ``StoreReader/changes(_:_:)``.
    ///
    /// - Parameter moment: what this snapshot knows of the log, where that was asked before.
    func changes(
        _ query: ChangeQuery,
        in model: EntityModel,
        at moment: Moment? = nil,
        _ receive: (ChangedKey) throws -> Void
    ) throws -> FeedPosition? {
        let now = try moment ?? self.moment()
        let since = try checked(query.since, now)
        let page = try query.after.map { try checked($0, now) }?.page
        guard let captured = try captured(query.set.names.database) else {
            throw StorageError.uncaptured(query.set)
        }
        let decoder = try LogDecoder(set: query.set, table: captured.table, model: model)
        let request = DeltaRequest(query: query, since: since.snapshot, page: page, captured: captured)
        let result = try connection.query(request.sql, request.parameters, isKept: true)
        let limit = query.limit ?? .max
        for (place, row) in result.enumerated() {
            if place == limit {
                var end = since
                end.page = request.page(endingAt: result[place - 1].integer(3) ?? 0, now: now.snapshot)
                return end.position
            }
            let key = try decoder.key(row.string(0) ?? "")
            let isNew = row.string(1) == "I"
            try receive(ChangedKey(key: key, before: isNew ? nil : try decoder.image(row.string(2) ?? "[]")))
        }
        return nil
    }

    /// The tables with entries that a position has not seen: one look into the index for each table.
    func changedTables(since position: FeedPosition, at now: Moment) throws -> Set<String> {
        let since = try checked(position, now).snapshot
        let result = try connection.query(
            """
            SELECT c.table_name FROM tideline.capture AS c WHERE EXISTS (SELECT FROM tideline.log AS l
                WHERE l.set_id = c.set_id AND (l.tx >= $1::text::xid8 OR l.tx = ANY($2::text::xid8[])))
            """,
            [.text(String(since.next)), .text(since.openArray)],
            isKept: true
        )
        return Set(result.compactMap { $0.string(0) })
    }

    func captured(_ table: String) throws -> CapturedSet? {
        let result = try connection.query(
            """
            SELECT set_id, schema_name, key_columns, columns, scopes, scope_from::text FROM tideline.capture
            WHERE table_name = $1
            """,
            [.text(table)],
            isKept: true
        )
        guard result.rowCount > 0 else { return nil }
        let row = result[0]
        return CapturedSet(
            table: CapturedTable(
                identifier: row.integer(0) ?? 0,
                schema: row.string(1) ?? "",
                name: table,
                key: try LoggedValue.texts(row.string(2) ?? "[]"),
                columns: try LoggedValue.texts(row.string(3) ?? "[]"),
                scopes: try LoggedValue.texts(row.string(4) ?? "[]")
            ),
            scopeFrom: row.string(5).flatMap { UInt64($0) } ?? .max
        )
    }
}

/// What is captured of a set, and since when its scopes are.
struct CapturedSet {
    var table: CapturedTable
    /// The transaction that made the scopes what they are.
    var scopeFrom: UInt64
}
