// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

package import GRDB

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension Database.BusyMode {
    /// Waits for a lock that another connection has, and looks for it some three times a millisecond until about `limit` is
    /// over.
    ///
    /// SQLite's own way looks every 100 ms in the end. A program that commits without a pause leaves the lock free for
    /// some ten microseconds each time: who looks seldom may never find it so, however long he waits.
    ///
    /// Source: SQLite, `sqlite3_busy_handler`.
    package static func patient(_ limit: Duration) -> Self {
        // Who sleeps for 250 microseconds is woken some 50 later.
        let tries = Int(limit / .microseconds(300))
        return .callback { tried in
            guard tried < tries else { return false }
            usleep(250)
            return true
        }
    }
}
