// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TidelineModel
import TidelineOData
import TidelineStorage

/// The answer to a delta that was sent to a set, where the client asks for what became of it: a delta too.
///
/// Each entity once and as it is at the end of the group: changed or made with its values, gone as removed.
/// Source: OData Protocol 4.01, section 11.4.4.
struct DeltaReply {
    /// So many entities are read together.
    private static let chunk = 200

    let core: Core
    let reader: any StoreReader
    let call: Call
    let set: EntitySet

    func answer(to touched: [(entity: Resource.Entity, effect: Step.Effect)]) throws -> Answer {
        var keys: [Key] = []
        var known: Set<Key> = []
        for change in touched where change.entity.set.names.wire == set.names.wire {
            if known.insert(change.entity.key).inserted { keys.append(change.entity.key) }
        }
        var options = QueryOptions()
        options.select = call.options.select
        options.expand = call.options.expand
        let query = try core.planner.query(set, options, paging: Planner.Paging(isOn: false), for: call.user)
        let writer = JSONEntityWriter(shape: query.shape, format: call.format, type: set.type)
        query.prepare(writer, core)
        writer.begin(.delta, contextRoot: call.contextRoot)
        for start in stride(from: 0, to: keys.count, by: Self.chunk) {
            let part = keys[start..<min(start + Self.chunk, keys.count)]
            var plan = query.plan
            plan.filter = .all(plan.filter, .isKey(part, of: set.type))
            var shown: Set<Key> = []
            let sink = NotingSink(writer, set.type, columns: plan.columns) { key, _ in shown.insert(key) }
            _ = try reader.read(plan, into: sink)
            for key in part where !shown.contains(key) {
                // The user has changed it: that it is hidden now is no secret of others.
                let isThere = try reader.entity(key, in: set) != nil
                writer.removed(key: key, reason: isThere ? .changed : .deleted)
            }
        }
        writer.end()
        core.exceptions.note(writer)
        let read = ReadHandler(core: core, reader: reader, call: call)
        return Answer(.ok, fields: read.dataFields(), body: .bytes(writer.output.bytes))
    }
}
