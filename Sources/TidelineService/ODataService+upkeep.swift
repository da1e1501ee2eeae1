// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineStorage

extension ODataService {
    /// Removes what the change log need not keep any longer by the domain's setting: one step of bounded work.
    ///
    /// - Parameters:
    ///   - now: seconds from 1970.
    ///   - retention: what is kept, in the place of the domain's setting.
    ///   - limit: the most changes to remove.
    /// - Throws: ``StorageError``.
    public func compactLog(
        now: Int64,
        keeping retention: LogRetention? = nil,
        limit: Int = 5_000
    ) throws -> LogCompaction {
        try store.compact(retention ?? domain.retention, now: now, limit: limit)
    }
}
