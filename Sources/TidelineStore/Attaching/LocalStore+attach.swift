// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineStorage

extension LocalStore {
    /// Makes a store that belongs to no service one of this service: all rows become inserts that wait.
    ///
    /// One durable local transaction: a crash leaves a store that is attached, or one that is not. What it has to send
    /// goes with the next syncs, whoever interrupts them.
    /// - Returns: how many rows wait.
    /// - Throws: ``LocalStoreError``: `unsupported` when the store has a service already, or rows that came from one.
    package func attach(
        to origin: StoreOrigin,
        subscriptions: [Subscription],
        payloadVersion: String
    ) throws -> Int {
        try writing(durably: true) { connection in
            guard try connection.meta("service_url") == nil else {
                throw LocalStoreError(.unsupported, message: "The store belongs to a service already.")
            }
            try LocalStore.checkOwnRows(connection)
            var attachment = try Attachment(connection, settings: settings)
            let touched = try attachment.run()
            for subscription in subscriptions {
                _ = try layout.set(subscription.set)
                try connection.run("INSERT INTO main.tideline_subscriptions VALUES (?, ?, ?, NULL)") {
                    $0.text(subscription.set)
                    if let filter = subscription.filter { $0.text(filter) } else { $0.null() }
                    if let list = subscription.properties { $0.text(list.joined(separator: ",")) } else { $0.null() }
                }
            }
            try connection.setMeta("payload_version", payloadVersion)
            try connection.setMeta("service_url", origin.serviceURL)
            try connection.setMeta("user_name", origin.userName)
            FailPoint.visit("attach.before-commit")
            return (attachment.rows, touched)
        }
    }

    /// Refuses rows that came from a service, as with a seed of one: sent as inserts they would be there twice.
    private static func checkOwnRows(_ connection: Connection) throws {
        for set in connection.layout.sets {
            let sql = "SELECT 1 FROM main.\(set.table) WHERE tideline_etag IS NOT NULL LIMIT 1"
            guard try connection.exists(sql, { _ in }) else { continue }
            throw LocalStoreError(
                .unsupported,
                set: set.name,
                message: "Rows of '\(set.name)' came from a service. Open a seed of a service with its origin."
            )
        }
    }

    /// How many rows each set has, by the name of the set.
    package func rowCounts() throws -> [String: Int] {
        try reading { connection in
            var counts: [String: Int] = [:]
            for set in layout.sets {
                counts[set.name] = Int(try connection.integer("SELECT COUNT(*) FROM main.\(set.table)"))
            }
            return counts
        }
    }
}
