// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TidelineModel
import TidelineOData
import TidelineStorage

/// `$apply` whose result are entities still, and results inside a result.
extension ReadHandler {
    /// With more entities a union of them is not put in its order.
    private static let unionLimit = 10_000

    /// The entities that transformations choose, as any collection of entities is answered.
    func entities(
        _ applied: AppliedEntities,
        of transformations: [Transformation],
        _ collection: Resource.Collection
    ) throws -> Answer {
        let token = try call.options.skipToken.map { text throws(ODataError) in
            try core.token(text, option: "$skiptoken")
        }
        guard applied.isConcatenated else {
            let (query, collection) = try self.query(applied, call.options, paging: paging, collection)
            return try page(query.applied(transformations), collection, after: token)
        }
        // An entity may be there twice, so its rows are found by the list of the keys.
        var last = call
        (last.target.options.filter, last.target.options.search, last.target.options.orderBy) = (nil, nil, [])
        let source = try keys(applied, collection)
        var (query, collection) = try self.query(applied, last.options, source: source, paging: paging, collection)
        query = query.applied(transformations)
        guard
            let answer = try ReadHandler(core: core, reader: reader, call: last).ordered(
                query,
                collection,
                after: token
            )
        else { throw Self.tooMany }
        return answer
    }

    private static var tooMany: ODataError {
        ODataError(.tooComplex, "A union of entities has more than \(unionLimit).", target: "$apply")
    }

    /// The keys of the entities of a union, those that are there twice twice, after the options that choose and order.
    private func keys(_ applied: AppliedEntities, _ collection: Resource.Collection) throws -> RowSource {
        var options = call.options
        (options.top, options.skip) = (nil, nil)
        var plan = try core.planner.aggregation(applied.steps + options.afterApply, over: collection, for: call.user)
        plan.top = Self.unionLimit + 1
        let places = collection.set.type.key.compactMap { key in
            plan.columns.firstIndex { $0.path.joined(separator: "/") == collection.set.type.path(of: key) }
        }
        let sink = KeySink(plan.result.type, columns: Array(plan.columns.indices))
        guard try reader.aggregate(plan, into: sink) <= Self.unionLimit else { throw Self.tooMany }
        return .keys(sink.rows.map { row in Key(places.map { row[$0] }) })
    }

    /// The query of the entities, with what is nested into them.
    private func query(
        _ applied: AppliedEntities,
        _ asked: QueryOptions,
        source: RowSource? = nil,
        paging: Planner.Paging,
        _ collection: Resource.Collection
    ) throws -> (Query, Resource.Collection) {
        var options = asked
        options.apply = nil
        options.compute = applied.compute + options.compute
        options.expand = applied.expand + options.expand
        var collection = collection
        var order: [ReadPlan.SortKey] = []
        if let source {
            collection.source = source
        } else if !applied.steps.isEmpty {
            let plan = try core.planner.aggregation(
                applied.steps,
                over: collection,
                for: call.user,
                keepsEntities: true
            )
            order = plan.orderBy
            collection.source = .subset(plan)
        }
        var query = try self.query(of: collection, options, paging: paging)
        let fence = Fence(policy: order.isEmpty ? nil : query.policy)
        for key in order {
            let value = fence.value(key.expression)
            guard !query.plan.orderBy.contains(where: { $0.expression == value }) else { continue }
            query.plan.orderBy.append(ReadPlan.SortKey(value, isDescending: key.isDescending))
        }
        for item in applied.aggregated { try core.planner.add(item, to: &query, collection, for: call.user) }
        return (query, collection)
    }

    // MARK: - nest

    /// One row, each of whose properties is what a sequence makes.
    ///
    /// Source: OData Extension for Data Aggregation 4.0, "Transformation nest".
    func nest(
        _ sequences: [Transformation.NestedSequence],
        after before: [Transformation],
        _ collection: Resource.Collection
    ) throws -> Answer {
        guard call.options.afterApply.isEmpty, call.options.select == nil, call.options.expand.isEmpty,
            call.options.skipToken == nil
        else { throw ODataError(.notSupported, "nest goes with no other option of the query.", target: "$apply") }
        guard Set(sequences.map(\.name)).count == sequences.count else {
            throw ODataError(.invalidQueryOption, "Two results of nest have one name.", target: "$apply")
        }
        let prefix = call.version == .v40 ? "odata." : ""
        let output = ByteWriter()
        output.append(text: "{")
        if call.format.metadata != .none {
            let names = sequences.map { call.version == .v40 ? $0.name : "\($0.name)()" }.joined(separator: ",")
            output.append(text: "\"@\(prefix)context\":")
            output.appendQuoted("\(call.contextRoot)#\(collection.set.names.wire)(\(names))")
            output.append(text: ",")
        }
        if call.options.count {
            output.append(text: "\"@\(prefix)count\":\(call.format.ieee754Compatible ? "\"1\"" : "1"),")
        }
        output.append(text: "\"value\":[{")
        for (place, sequence) in sequences.enumerated() {
            if place > 0 { output.append(text: ",") }
            let (context, rows) = try nested(before + sequence.transformations, collection)
            if call.format.metadata != .none {
                output.appendQuoted("\(sequence.name)@\(prefix)context")
                output.append(text: ":")
                output.appendQuoted(context)
                output.append(text: ",")
            }
            output.appendQuoted(sequence.name)
            output.append(text: ":[")
            output.append(rows)
            output.append(text: "]")
        }
        output.append(text: "}]}")
        return Answer(.ok, fields: dataFields(), body: .bytes(output.bytes))
    }

    /// The context URL, relative to that of the answer, and the rows of one result in another.
    private func nested(
        _ transformations: [Transformation],
        _ collection: Resource.Collection
    ) throws -> (context: String, rows: [UInt8]) {
        let limit = core.planner.limits.pageRows
        let writer: JSONEntityWriter
        let shape: RowShape
        if let applied = try AppliedEntities(transformations, over: collection.set), !applied.isConcatenated {
            var (query, _) = try query(applied, QueryOptions(), paging: Planner.Paging(isOn: false), collection)
            query.plan.top = limit + 1
            shape = query.shape
            writer = JSONEntityWriter(shape: shape, format: call.format, type: collection.set.type)
            query.prepare(writer, core)
            writer.begin(.none, contextRoot: call.contextRoot)
            _ = try reader.read(query.plan, into: query.sink(writer))
        } else {
            var plan = try core.planner.aggregation(transformations, over: collection, for: call.user)
            plan.top = limit + 1
            shape = self.shape(of: plan, name: collection.set.names.wire, shown: try ShownColumns(plan, QueryOptions()))
            writer = JSONEntityWriter(shape: shape, format: call.format)
            writer.begin(.none, contextRoot: call.contextRoot)
            _ = try reader.aggregate(plan, into: writer)
        }
        core.exceptions.note(writer)
        guard writer.rows <= limit else {
            throw ODataError(.tooComplex, "A result inside nest has more than \(limit) rows.", target: "$apply")
        }
        let list = shape.selectList(call.version).map { "(\($0))" } ?? ""
        return ("#\(shape.set)\(list)", writer.output.bytes)
    }
}

extension Query {
    /// The query as one of `$apply`: its tokens are good for these transformations alone.
    fileprivate func applied(_ transformations: [Transformation]) -> Query {
        var query = self
        query.applied = "\(transformations)"
        query.untracked = "$apply chooses its entities."
        return query
    }
}

extension Planner {
    /// Adds what `addnested` aggregates of related entities: one row of values, computed with those of the entity.
    fileprivate func add(
        _ item: AppliedEntities.Aggregated,
        to query: inout Query,
        _ collection: Resource.Collection,
        for user: UserContext
    ) throws(ODataError) {
        let type = collection.set.type
        guard let place = type.navigationIndex(wire: item.navigation),
            let target = model[set: type.navigationProperties[place].targetSet]
        else {
            throw ODataError(
                .invalidQueryOption,
                "\(collection.set.names.wire) has no navigation property \(item.navigation).",
                target: item.navigation
            )
        }
        guard type.member(item.name, as: nil) == nil, !query.shape.expansions.contains(where: { $0.name == item.name })
        else { throw ODataError(.invalidQueryOption, "\(item.name) is a name that is taken.", target: item.name) }
        _ = try visibility(target, user)
        let values = try Self.named { () throws(ExpressionError) in
            try AggregationPlanner.values(
                of: item.sequence,
                over: item.navigation,
                of: collection.set,
                as: collection.derivedType,
                in: model
            )
        }
        guard let values, type.navigationProperties[place].isCollection else {
            throw ODataError(.notSupported, "$apply does not support such a sequence in addnested.", target: "$apply")
        }
        query.plan.computed += values.map { guarded($0.value, over: collection.set, user) }
        query.nested.append(values.count)
        var columns: [RowShape.Column] = []
        for (name, value) in values {
            var column = RowShape.Column(name: name, type: value.type ?? .string)
            column.isUndeclared = true
            columns.append(column)
        }
        let shape = RowShape(set: target.names.wire, key: [], columns: columns, includesETag: false)
        var expansion = RowShape.Expansion(name: item.name, isCollection: true, shape: shape)
        expansion.context = "#\(target.names.wire)(\(values.map(\.name).joined(separator: ",")))"
        query.shape.expansions.append(expansion)
    }
}
