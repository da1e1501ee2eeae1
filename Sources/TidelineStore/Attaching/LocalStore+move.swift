// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineStorage

extension LocalStore {
    /// Has the store follow its service to another address; one that is there stays as it is.
    ///
    /// One durable local transaction: links go on from where they were, and what a sync with the old address has under way
    /// is not applied.
    ///
    /// - Parameters:
    ///   - old: the address as the store has it, and its path with a slash at both ends.
    ///   - new: the address that it gets.
    /// - Throws: ``LocalStoreError``: `busy` where the store has a third address by now.
    package func move(from old: (address: String, path: String), to new: String) throws {
        try writing(durably: true) { connection in
            let address = try connection.meta("service_url")
            guard address != new else { return ((), []) }
            guard address == old.address else {
                throw LocalStoreError(.busy, message: "The store was moved meanwhile. Look where it is.")
            }
            try connection.setMeta("service_url", new)
            // Earlier releases kept them from the root of the host on.
            let sql = """
                UPDATE main.tideline_subscriptions SET delta_link = substr(delta_link, length(?1) + 1)
                WHERE substr(delta_link, 1, length(?1)) = ?1 AND substr(delta_link, length(?1) + 1, 1) <> '/'
                """
            try connection.run(sql) { $0.text(old.path) }
            try connection.changeContent()
            return ((), [])
        }
    }
}
