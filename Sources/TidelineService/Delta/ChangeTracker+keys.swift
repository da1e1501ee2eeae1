// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

extension ChangeTracker {
    /// Makes sure that each row which the user sees now has a key that is one of its type.
    ///
    /// A delta cannot tell of one that has none: passed over, it would be lacking on devices without a word. This looks at
    /// all rows, which only somebody pays who asks between the change of such a row and its end.
    ///
    /// - Throws: ``StorageError/Code/unreadableValue``.
    func checkKeys() throws {
        let plan = ReadPlan(
            model: model,
            set: set,
            filter: .all(policy, filter),
            columns: set.type.key,
            includesETag: false,
            pageLimit: .unlimited,
            user: user
        )
        let sink = KeyCheck()
        _ = try reader.read(plan, into: sink)
        guard sink.lacksKey else { return }
        let name = set.names.wire
        throw StorageError(.unreadableValue, set: name, message: "A row of \(name) has no key.")
    }
}

/// Looks whether keys have all their parts, and keeps nothing of them.
private final class KeyCheck: RowSink {
    private(set) var lacksKey = false

    func null() { lacksKey = true }
    func exception(_ held: String?) { lacksKey = true }
    func beginRow() {}
    func boolean(_ value: Bool) {}
    func integer(_ value: Int64) {}
    func double(_ value: Double) {}
    func text(_ utf8: UnsafeRawBufferPointer) {}
    func binary(_ bytes: UnsafeRawBufferPointer) {}
    func beginExpansion(_ index: Int) {}
    func endExpansion(_ index: Int, count: Int?) {}
    func endRow(etag: ETag?) {}
}
