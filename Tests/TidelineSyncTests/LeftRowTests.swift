// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineStore
import TidelineSync

/// Changes of a row that left what the device follows.
struct LeftRowTests {
    /// Found by the simulator: seed 140010.
    @Test func `one that is sent again when the row is gone is in the conflict log, and what waited with it is sent`()
        async throws
    {
        let world = try World()
        let device = try await world.device(
            "a",
            requests: [
                SubscriptionRequest(parsing: "Parents?$filter=Amount ge 20"), SubscriptionRequest(set: "Products"),
            ]
        )
        _ = try await device.store.write { transaction in
            try transaction.update(Key([.integer(2)]), ["Name": .string("mine")], in: "Parents")
            _ = try transaction.insert(["Code": .string("P9"), "Rank": .integer(9)], into: "Products")
        }
        // The row leaves while the change waits, and is gone before a person looks.
        try world.execute("UPDATE Parents SET Amount = 5 WHERE Id = 2; DELETE FROM Parents WHERE Id = 2")
        device.transport.begin { $0 == 0 ? .dropBefore : nil }
        _ = try await device.syncUntilDone()
        for entry in try device.store.quarantined() { try device.store.retry(quarantined: entry.id) }
        _ = try await device.syncUntilDone()
        #expect(try world.rows("SELECT Code FROM Products WHERE Rank = 9") == ["P9"])
        let conflict = try #require(try device.store.conflicts().first)
        #expect(conflict.set == "Parents" && conflict.kind == .deletedThere)
        #expect(conflict.properties.map(\.mine) == [.string("mine")])
        #expect(try device.store.quarantined() == [])
        #expect(try device.store.status().pendingTransactions == 0)
    }
}
