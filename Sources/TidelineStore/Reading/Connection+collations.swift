// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import GRDB
import GRDBSQLite
import TidelineModel
import TidelineStorage

extension Connection {
    /// Makes the collations of a plan's order known to the connection.
    ///
    /// - Throws: ``LocalStoreError/Code/unsupported`` for a page of such an order that goes on after another, and for a
    ///   key of the order that is no text.
    func prepareCollations(of plan: ReadPlan) throws {
        for key in plan.orderBy {
            guard let collation = key.collation else { continue }
            guard key.expression.type == .string, plan.after == nil else {
                throw LocalStoreError(
                    .unsupported,
                    set: plan.set.names.wire,
                    message: "Only texts are ordered by '\(collation.name)', and only with `skip` and `top`."
                )
            }
            guard !collations.contains(collation.name) else { continue }
            try register(collation)
            collations.insert(collation.name)
        }
    }

    private func register(_ collation: TextCollation) throws {
        let box = unsafe Unmanaged.passRetained(CollationBox(collation))
        // SQLite destroys what it took; what it refused is ours again.
        let code = unsafe sqlite3_create_collation_v2(
            database.sqliteConnection,
            collation.name,
            SQLITE_UTF8,
            box.toOpaque(),
            compareTexts
        ) { box in
            if let box = unsafe box { unsafe Unmanaged<CollationBox>.fromOpaque(box).release() }
        }
        guard code == SQLITE_OK else {
            unsafe box.release()
            throw unsafe SQLiteRefusal.error(code, database.sqliteConnection)
        }
    }
}

/// A collation that SQLite holds.
private final class CollationBox {
    let collation: TextCollation

    init(_ collation: TextCollation) { self.collation = collation }
}

private let compareTexts:
    @convention(c) (UnsafeMutableRawPointer?, Int32, UnsafeRawPointer?, Int32, UnsafeRawPointer?) -> Int32 =
        { box, leftCount, left, rightCount, right in
            guard let box = unsafe box else { return 0 }
            let collation = unsafe Unmanaged<CollationBox>.fromOpaque(box).takeUnretainedValue().collation
            let left = unsafe UnsafeRawBufferPointer(start: left, count: Int(leftCount))
            let right = unsafe UnsafeRawBufferPointer(start: right, count: Int(rightCount))
            let order = unsafe collation.compare(
                String(decoding: left, as: UTF8.self),
                String(decoding: right, as: UTF8.self)
            )
            return Int32(order.signum())
        }
