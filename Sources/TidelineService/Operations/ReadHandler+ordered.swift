// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TidelineModel
import TidelineOData
import TidelineStorage

/// The entities that an operation gave, in the order in which it gave them.
extension ReadHandler {
    /// With more entities the order is that of the keys: it would cost more than it says.
    private static let orderLimit = 10_000

    /// The entities of a collection in the operation's own order; `nil` where another order counts.
    func ordered(_ query: Query, _ collection: Resource.Collection, after token: LinkToken?) throws -> Answer? {
        guard call.options.orderBy.isEmpty else { return nil }
        let keys: [Key]
        switch collection.source {
        case nil, .subset?: return nil
        case .keys(let given)?: keys = given
        case .function(let function)?: keys = try core.planner.operations.call(function, reader).keys
        }
        // As many values as one statement takes.
        guard keys.count <= Self.orderLimit, keys.count * query.plan.set.type.key.count <= 30_000 else { return nil }
        let visible = try self.visible(keys, query)
        let chosen = keys.filter(visible.contains)
        let asked = chosen.dropFirst(call.options.skip ?? 0).prefix(call.options.top ?? .max)
        let scope = core.scope(of: query, call) + core.order(of: query, call)
        var delivered = 0
        var total = chosen.count
        if let token {
            guard token.scope == scope, case .page(let after, let rows, _, let count) = token.place, after.isEmpty
            else {
                throw DeltaHandler.scopeChanged
            }
            (delivered, total) = (rows, count ?? total)
        }
        let rest = asked.dropFirst(delivered)
        let count = call.options.count ? total : nil
        return Answer(
            .ok,
            fields: dataFields(isPaged: call.isPaged),
            body: .stream { [core, call] output, onFull in
                let writer = JSONEntityWriter(shape: query.shape, format: call.format, output: output)
                writer.begin(.collection, contextRoot: call.contextRoot, count: count)
                let taken = try write(rest, query, to: output, onFull)
                var next: String?
                if taken < rest.count {
                    let place = LinkToken.Place.page(after: [], delivered: delivered + taken, start: nil, count: count)
                    next = Link(call: call).next(core.text(of: LinkToken(place: place, scope: scope)))
                }
                writer.end(nextLink: next)
            }
        )
    }

    /// Writes the entities of a page: as many as its rows and its bytes allow, and one at least.
    ///
    /// - Returns: how many of the keys are done with.
    private func write(
        _ keys: ArraySlice<Key>,
        _ query: Query,
        to output: ByteWriter,
        _ onFull: ((ByteWriter) -> Void)?
    ) throws -> Int {
        let rows = call.isPaged ? query.plan.pageLimit.rows : .max
        var bytes = call.isPaged ? query.plan.pageLimit.bytes : .max
        var size = 32
        var taken = 0
        var isFirst = true
        while taken < min(keys.count, rows), bytes > 0 {
            let chunk = Array(keys.dropFirst(taken).prefix(min(size, rows - taken)))
            guard let found = try self.rows(chunk, query, within: bytes) else {
                size = chunk.count / 2
                continue
            }
            for key in chunk where bytes > 0 {
                taken += 1
                guard let row = found[key] else { continue }
                if !isFirst { output.append(",") }
                isFirst = false
                output.append(row)
                if bytes < .max { bytes -= min(bytes, row.count) }
            }
            onFull?(output)
        }
        return taken
    }

    /// Those of the keys that the filter takes and the user may see.
    private func visible(_ keys: [Key], _ query: Query) throws -> Set<Key> {
        var plan = query.plan
        plan.source = .keys(keys)
        plan.columns = plan.set.type.key
        plan.computed = []
        plan.expansions = []
        plan.includesETag = false
        plan.skip = 0
        plan.top = nil
        plan.pageLimit = .unlimited
        let sink = KeySink(plan.set.type)
        _ = try reader.read(plan, into: sink)
        return Set(sink.keys)
    }

    /// The JSON of each entity; `nil` where these are more than so many bytes and more than one.
    private func rows(_ keys: [Key], _ query: Query, within bytes: Int) throws -> [Key: ArraySlice<UInt8>]? {
        guard !keys.isEmpty else { return [:] }
        var plan = query.plan
        plan.source = .keys(keys)
        plan.skip = 0
        plan.top = nil
        plan.pageLimit = keys.count == 1 ? .unlimited : ReadPlan.PageLimit(rows: keys.count + 1, bytes: bytes)
        var format = call.format
        // The rows come in another order than they are written in: none may lean on another.
        format.refersToEntities = false
        let writer = JSONEntityWriter(shape: query.shape, format: format, type: plan.set.type)
        query.prepare(writer, core)
        var ends: [(key: Key, end: Int)] = []
        let sink = NotingSink(query.sink(writer), plan.set.type, columns: plan.columns) { key, _ in
            ends.append((key, writer.output.count))
        }
        writer.begin(.none, contextRoot: call.contextRoot)
        guard try reader.read(plan, into: sink).continuation == nil else { return nil }
        core.exceptions.note(writer)
        let bytes = writer.output.bytes
        var rows: [Key: ArraySlice<UInt8>] = [:]
        var start = 0
        for (key, end) in ends {
            // Rows after the first begin with a comma.
            rows[key] = bytes[(start == 0 ? 0 : start + 1)..<end]
            start = end
        }
        return rows
    }
}
