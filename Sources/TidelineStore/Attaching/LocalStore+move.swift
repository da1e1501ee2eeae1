// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineStorage

extension LocalStore {
    /// Has the store follow its service to another address.
    ///
    /// One durable local transaction: links go on from where they were, and a sync that runs with the old address ends
    /// without an effect.
    ///
    /// - Parameters:
    ///   - old: the address that the store has, and its path with a slash at both ends.
    ///   - new: the address that it gets, and its path.
    /// - Throws: ``LocalStoreError``: `busy` where the store has another address by now.
    package func move(from old: (address: String, path: String), to new: (address: String, path: String)) throws {
        try writing(durably: true) { connection in
            guard try connection.meta("service_url") == old.address else {
                throw LocalStoreError(.busy, message: "The store was moved meanwhile. Look where it is.")
            }
            try connection.setMeta("service_url", new.address)
            // They are kept from the root of the host on.
            let sql = """
                UPDATE main.tideline_subscriptions SET delta_link = ?1 || substr(delta_link, length(?2) + 1)
                WHERE substr(delta_link, 1, length(?2)) = ?2
                """
            try connection.run(sql) {
                $0.text(new.path)
                $0.text(old.path)
            }
            try connection.setNumber("content", try connection.number("content") + 1)
            return ((), [])
        }
    }
}
