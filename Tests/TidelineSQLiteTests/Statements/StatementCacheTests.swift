// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import GRDB
import Testing

@testable import TidelineSQLite

struct StatementCacheTests {
    /// The identity of a connection that is gone may go to another, which must not find the statements under it.
    @Test func `the statements of a connection that is gone are let go`() throws {
        struct Place {
            weak var connection: Database?
        }
        let cache = StatementCache()
        var places: [Place] = []
        for number in 1...50 {
            let queue = try DatabaseQueue()
            let found = try queue.write { connection in
                try connection.execute(sql: "CREATE TABLE numbers (value); INSERT INTO numbers VALUES (\(number))")
                places.append(Place(connection: connection))
                // Some may still be on their way out, but never more than at this moment.
                let alive = places.count { $0.connection != nil }
                let statement = try cache.statement(connection, "SELECT value FROM numbers")
                defer { statement.reset() }
                #expect(cache.connectionCount <= alive)
                return try statement.step() ? statement.integer(0) : nil
            }
            #expect(found == Int64(number))
        }
    }
}
