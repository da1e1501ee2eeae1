// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Remembers for a few seconds whom an access token belongs to, so that a burst of requests reads the store once.
///
/// Revocation by this process empties it; revocation by another process is seen when the entry has aged.
final class AuthenticationCache: Sendable {
    private struct Entry {
        var user: User
        /// The end of the entry or of the token, whichever comes first.
        var until: Int64
    }

    /// How long an entry lives, in seconds.
    static let lifeInSeconds: Int64 = 5
    private static let capacity = 4096
    private let entries = Mutex<[String: Entry]>([:])

    func user(token hash: String, now: Int64) -> User? {
        entries.withLock { entries in
            guard let entry = entries[hash] else { return nil }
            if entry.until <= now {
                entries[hash] = nil
                return nil
            }
            return entry.user
        }
    }

    func keep(_ user: User, token hash: String, now: Int64, expires: Int64) {
        entries.withLock { entries in
            if entries.count >= Self.capacity { entries.removeAll(keepingCapacity: true) }
            entries[hash] = Entry(user: user, until: min(expires, now + Self.lifeInSeconds))
        }
    }

    func removeAll() { entries.withLock { $0.removeAll() } }
}
