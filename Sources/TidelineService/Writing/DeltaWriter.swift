// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TidelineModel
import TidelineOData
import TidelineStorage

/// Changes many entities of a set by one delta: PATCH of the set.
///
/// All or nothing, in an order in which its changes can be: one that meets a value which is still taken, or a parent which
/// is not there yet, waits for the others, as a step of a group does. With `continue-on-error` each change for itself, in
/// the order of the delta, and those that failed are told. Source: OData Protocol 4.01, section 11.4.4.
struct DeltaWriter {
    let items: DeltaItemWriter
    /// Whether a change that fails can be undone by itself, see ``GroupWriter/isGuarded``.
    let isGuarded: Bool

    private var rows: RowWriter { items.rows }

    func run(_ collection: Resource.Collection) throws {
        guard collection.restriction == nil else {
            throw ODataError(.notSupported, "A delta is sent to an entity set, not to a part of one.")
        }
        try rows.mayWrite(.update, collection.set)
        let set = collection.set
        let write = EntityWrite(core: rows.core, writer: rows.writer, call: rows.call, set: set)
        try write.checkJSON()
        let delta = try read(set)
        var failures: [DeltaFailure] = []
        if rows.call.preferences.continuesOnError ?? false {
            failures = try runEach(delta.items)
        } else if isGuarded {
            try runTogether(delta.items)
        } else {
            for item in delta.items { try items.run(item) }
        }
        rows.step.effect = .updated
        rows.step.reply = failures.isEmpty ? .changes(set) : .failures(failures, set)
    }

    private func read(_ set: EntitySet) throws(ODataError) -> DeltaBody {
        if let delta = try ReadBody.delta(rows.call, of: set) { return delta }
        let version = try ODataVersion.ofBody(rows.call.fields)
        let reader = DeltaBodyReader(model: rows.core.planner.model, set: set, version: version)
        return try reader.read(
            rows.call.body,
            limit: rows.core.planner.limits.batchRequests,
            continuesOnError: rows.call.preferences.continuesOnError ?? false
        )
    }

    // MARK: Each for itself

    private func runEach(_ all: [DeltaBody.Item]) throws -> [DeltaFailure] {
        var failures: [DeltaFailure] = []
        for item in all {
            let touched = rows.step.touched.count
            do {
                try rows.step.attempt(on: rows.writer) {
                    try items.run(item)
                    try rows.checkRules(rows.step.touched[touched...])
                }
            } catch {
                failures.append(try items.failure(item, error))
            }
        }
        return failures
    }

    // MARK: All or nothing

    private typealias Waiting = (item: DeltaBody.Item, failure: StepFailure)

    private func runTogether(_ all: [DeltaBody.Item]) throws {
        // A group that holds the delta may have tried it before.
        rows.step.parked = [:]
        var tried: Set<RowAddress> = []
        var pending = all
        while !pending.isEmpty {
            var (waiting, failures): ([DeltaBody.Item], [Waiting]) = ([], [])
            var waitingRows: Set<RowAddress> = []
            for item in pending {
                let row = try items.address(of: item)
                // The changes of one row keep their order; so do those whose rows are not known, as links.
                if row.map(waitingRows.contains) ?? !waiting.isEmpty {
                    waiting.append(item)
                    continue
                }
                do {
                    try rows.step.attempt(on: rows.writer) { try items.run(item) }
                    if let row { rows.step.parked[row] = nil }
                } catch {
                    if let storage = error as? StorageError, !Status.isDecision(ODataError(storage)) { throw storage }
                    let failure = try StepFailure(error)
                    guard failure.mayPassLater else { throw error }
                    waiting.append(item)
                    failures.append((item, failure))
                    if let row { waitingRows.insert(row) }
                }
            }
            if let first = failures.first, try waiting.count == pending.count && !park(failures, &tried) {
                throw first.failure.cause
            }
            pending = waiting
        }
    }

    /// Lets one waiting row go of the unique values that others wait for, as in a swap; each row once.
    private func park(_ failures: [Waiting], _ tried: inout Set<RowAddress>) throws -> Bool {
        for (item, failure) in failures where failure.error.code == ServiceCode.duplicateValue {
            guard let (entity, current) = try items.updated(by: item), tried.insert(RowAddress(entity)).inserted else {
                continue
            }
            if try Parking(writer: rows.writer).park(entity, current, failure.storage, for: rows.step) { return true }
        }
        return false
    }
}
