// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineStorage

extension LocalStore {
    /// Makes a store that belongs to no service one of this service: all rows become inserts that wait.
    ///
    /// One durable local transaction: a crash leaves a store that is attached, or one that is not. What it has to send
    /// goes with the next syncs, whoever interrupts them.
    /// - Returns: how many rows wait.
    /// - Throws: ``LocalStoreError``: `unsupported` when the store has a service already.
    package func attach(
        to origin: StoreOrigin,
        subscriptions: [Subscription],
        payloadVersion: String
    ) throws -> Int {
        try writing(durably: true) { connection in
            guard try connection.meta("service_url") == nil else {
                throw LocalStoreError(.unsupported, message: "The store belongs to a service already.")
            }
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
