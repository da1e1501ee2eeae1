// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

/// The failures of sign-in under one name, whether or not a user has it.
enum LockOutRecord {
    static func key(_ name: String, _ domain: String) -> Key {
        Key([.string(domain), .string(UserName.folded(name))])
    }

    /// - Throws: ``AccountsError`` with `locked` while sign-in under this name waits.
    static func check(_ name: String, _ domain: String, now: Int64, _ reader: some StoreReader) throws {
        let until = try reader.record([domain, UserName.folded(name)], in: ControlModel.failures)?.number(4) ?? 0
        guard until > now else { return }
        throw AccountsError(
            .locked,
            "Sign-in failed too often. Wait, then try again.",
            retryAfter: .seconds(until - now)
        )
    }

    /// Counts one more failure.
    static func count(_ name: String, _ domain: String, now: Int64, _ writer: some StoreWriter) throws {
        let set = ControlModel.failures
        let old = try writer.record([domain, UserName.folded(name)], in: set)
        let isFresh = old.map { now - $0.number(3) <= LockOut.memory } ?? false
        let failures = (isFresh ? old?.number(2) ?? 0 : 0) + 1
        let values: [Int: Value] = [
            2: .integer(failures), 3: .integer(now), 4: .integer(now + LockOut.delay(after: failures)),
        ]
        let key = key(name, domain)
        if old == nil {
            _ = try writer.insert(
                values.merging([0: key.values[0], 1: key.values[1]]) { first, _ in first },
                into: set
            )
        } else {
            _ = try writer.update(key, values, in: set)
        }
    }
}
