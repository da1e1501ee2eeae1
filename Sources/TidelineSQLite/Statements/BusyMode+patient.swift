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
    /// Waits for a lock that another connection has, and looks for it each millisecond until `limit` is over.
    ///
    /// SQLite's own way looks every 100 ms in the end. A program that commits without a pause leaves the lock free for
    /// microseconds, so who looks that seldom may never find it so, however long he waits.
    ///
    /// Source: SQLite, `sqlite3_busy_handler`.
    package static func patient(_ limit: Duration) -> Self {
        let tries = Int(limit / .milliseconds(1))
        return .callback { tried in
            guard tried < tries else { return false }
            usleep(1000)
            return true
        }
    }
}
