// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineOData
import TidelineStore

/// Passes what a delta says on to the store's staging table.
final class StagingSink: DeltaSink {
    private let stage: HiddenTableSink

    init(_ stage: HiddenTableSink) {
        self.stage = stage
    }

    func beginRow() { stage.beginRow() }
    func null() { stage.null() }
    func boolean(_ value: Bool) { stage.boolean(value) }
    func integer(_ value: Int64) { stage.integer(value) }
    func double(_ value: Double) { stage.double(value) }
    func text(_ utf8: UnsafeRawBufferPointer) { unsafe stage.text(utf8) }
    func binary(_ bytes: UnsafeRawBufferPointer) { unsafe stage.binary(bytes) }
    func beginExpansion(_ index: Int) { stage.beginExpansion(index) }
    func endExpansion(_ index: Int, count: Int?) { stage.endExpansion(index, count: count) }
    func endRow(etag: ETag?) { stage.endRow(etag: etag) }

    func removed(key: Key, reason: RemovalReason) {
        stage.removed(key, reason: reason == .deleted ? .deleted : .changed)
    }
}
