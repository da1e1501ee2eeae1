// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

/// A store that tells of its commits.
struct ObservedStore: Store {
    let base: any Store
    let hint: CommitHint

    var model: EntityModel { base.model }
    var place: StorePlace { base.place }

    func read<Result>(_ body: (any StoreReader) throws -> Result) throws -> Result { try base.read(body) }

    func readCopy<Result>(_ body: (any StoreReader) throws -> Result) throws -> Result { try base.readCopy(body) }

    func write<Result>(_ body: (any StoreWriter) throws -> Result) throws -> Result {
        let result = try base.write(body)
        hint.committed()
        return result
    }

    func compact(_ retention: LogRetention, now: Int64, limit: Int) throws -> LogCompaction {
        try base.compact(retention, now: now, limit: limit)
    }

    func watch(_ receive: @escaping @Sendable () -> Void) -> (any StoreWatch)? { base.watch(receive) }
}
