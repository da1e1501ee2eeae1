// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

extension LocalTransaction {
    /// The rows that the transaction changed.
    ///
    /// Where nobody listens, and where they are many, the sets alone are told: a bulk insert pays nothing for it.
    func touched(_ broadcaster: CommitBroadcaster) throws -> TouchedRows {
        var touched = unrecorded
        let names = records.indices.filter { records[$0] != nil }
        let isClose = turn <= TouchedRows.mostKeys && broadcaster.isHeard(Set(names))
        for set in names {
            if isClose, let record = records[set] {
                touched.add(set, try OutboxRecord.keys(record, layout.sets[set]))
            } else {
                touched.add(whole: set)
            }
        }
        return touched
    }
}

extension TouchedRows {
    /// Everything.
    static func whole(_ layout: StoreLayout) -> TouchedRows {
        var touched = TouchedRows()
        for set in layout.sets { touched.add(whole: set.index) }
        return touched
    }
}
