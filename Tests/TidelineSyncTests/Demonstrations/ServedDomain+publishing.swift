// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelinePostgres
import TidelineSQLite
import TidelineStorage

extension ServedDomain {
    /// Takes the domain away and publishes it again, as `tideline unpublish` and `tideline publish` do.
    func publishAnew() throws {
        (store as? PostgresStore)?.close()
        if kind == .postgres {
            try PostgresPublisher.unpublish(conninfo: place)
            _ = try PostgresPublisher.publish(conninfo: place, namespace: "Test") { _ in }
        } else {
            try SQLitePublisher.unpublish(path: place)
            _ = try SQLitePublisher.publish(path: place, namespace: "Test") { _ in }
        }
        try restart()
    }
}
