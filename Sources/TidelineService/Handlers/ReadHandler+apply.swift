// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TidelineModel
import TidelineOData
import TidelineStorage

/// `$apply`: rows that are made of a collection's entities.
///
/// Source: OData Extension for Data Aggregation 4.0, section 3.
extension ReadHandler {
    func aggregation(_ collection: Resource.Collection, _ transformations: [Transformation]) throws -> Answer {
        let options = call.options
        guard options.deltaToken == nil else {
            throw ODataError(.notSupported, "$apply does not go with $deltatoken.", target: "$apply")
        }
        if case .nest(let sequences)? = transformations.last {
            return try nest(sequences, after: Array(transformations.dropLast()), collection)
        }
        if let applied = try AppliedEntities(transformations, over: collection.set),
            !applied.isConcatenated || applied.isNested || !options.expand.isEmpty
        {
            return try entities(applied, of: transformations, collection)
        }
        let steps = transformations + options.afterApply
        let plan = try core.planner.aggregation(steps, over: collection, for: call.user)
        return try rows(of: plan, name: collection.set.names.wire)
    }

    /// The rows of a plan as a page.
    func rows(of plan: AggregationPlan, name: String) throws -> Answer {
        let options = call.options
        var page = plan
        let limit = pageRows
        // The rows depend on the whole query: a token is good for its text and its user alone.
        let scope = Array("$apply \(call.userName ?? "") \(call.user.id) \(name) \(options.scopeText)".utf8)
        var count: Int?
        if let text = options.skipToken {
            let token = try core.token(text, option: "$skiptoken")
            guard token.scope == ETag(of: scope).text.utf8.map({ $0 }),
                case .page(_, let delivered, _, let total) = token.place
            else { throw DeltaHandler.scopeChanged }
            page.skip = delivered
            count = total
        }
        if options.count, count == nil { count = try matching(plan) }
        if call.isPaged { page.top = limit + 1 }
        let shown = try ShownColumns(plan, options)
        let writer = JSONEntityWriter(shape: shape(of: plan, name: name, shown: shown), format: call.format)
        if call.isPaged { writer.limitRows(to: limit, bytes: core.planner.limits.pageBytes) }
        writer.begin(.collection, contextRoot: call.contextRoot, count: options.count ? count : nil)
        _ = try reader.aggregate(page, into: writer)
        core.exceptions.note(writer)
        var next: String?
        if writer.hasMoreRows {
            let place = LinkToken.Place.page(after: [], delivered: page.skip + writer.rows, start: nil, count: count)
            next = Link(call: call).next(
                core.text(of: LinkToken(place: place, scope: Array(ETag(of: scope).text.utf8)))
            )
        }
        writer.end(nextLink: next)
        return Answer(.ok, fields: dataFields(isPaged: call.isPaged), body: .bytes(writer.output.bytes))
    }

    /// The most rows of a page.
    var pageRows: Int {
        let limit = core.planner.limits.pageRows
        return call.isPaged ? min(call.preferences.maxPageSize ?? limit, limit) : limit
    }

    /// `/$count` of what `$apply` makes.
    func aggregatedCount(_ collection: Resource.Collection, _ transformations: [Transformation]) throws -> Answer {
        var options = call.options
        // The number is of what matches, whatever pages there are.
        (options.orderBy, options.skip, options.top) = ([], nil, nil)
        // What is nested into entities changes nothing of their number.
        let steps = try AppliedEntities(transformations, over: collection.set)?.steps ?? transformations
        let plan = try core.planner.aggregation(steps + options.afterApply, over: collection, for: call.user)
        let count = try number(of: plan)
        return Answer(.ok, fields: fields(contentType: "text/plain"), body: .bytes(Array("\(count)".utf8)))
    }

    /// How many rows there are before `$skip` and `$top` of the request: they are the last steps.
    private func matching(_ plan: AggregationPlan) throws -> Int {
        var whole = plan
        for _ in 0..<((call.options.skip == nil ? 0 : 1) + (call.options.top == nil ? 0 : 1)) {
            if case .order? = whole.steps.last { whole.steps.removeLast() }
        }
        return try number(of: whole)
    }

    /// How many rows a plan has.
    func number(of plan: AggregationPlan) throws -> Int {
        let sink = KeySink(plan.counting.result.type, columns: [0])
        _ = try reader.aggregate(plan.counting, into: sink)
        guard case .integer(let count)? = sink.rows.first?.first else { return 0 }
        return Int(count)
    }

    /// The result's columns; those at the end of a path stand in objects, as the entities did that they came from.
    func shape(of plan: AggregationPlan, name: String, shown: ShownColumns) -> RowShape {
        var shape = RowShape(set: name, key: [], columns: [], includesETag: false)
        var containers: [[String]: Int] = [:]
        for (place, column) in plan.columns.enumerated() {
            var container: Int?
            for depth in column.path.indices.dropLast() {
                let path = Array(column.path[...depth])
                if containers[path] == nil {
                    containers[path] = shape.complexes.count
                    let name = column.path[depth]
                    var complex = RowShape.Complex(name: name, type: "", isNullable: true, parent: container)
                    if container == nil { complex.context = shown.context(of: name) }
                    shape.complexes.append(complex)
                }
                container = containers[path]
            }
            var made = RowShape.Column(name: column.path.last ?? "", type: column.type ?? .string)
            made.container = container
            let declared = plan.set.type.propertyIndex(wire: made.name).map { plan.set.type.properties[$0].type }
            made.isUndeclared = container == nil && declared != made.type
            if let type = column.enumeration.flatMap({ core.planner.model[enumeration: $0] }) {
                made.form = .enumeration(type)
                made.typeName = "\(core.planner.model.namespace).\(type.names.wire)"
            } else if column.structure != nil {
                made.form = .json
            } else if made.type.isSpatial {
                made.form = .spatial
            }
            made.isHidden = !shown.places.contains(place)
            shape.columns.append(made)
        }
        let names = plan.columns.indices.filter(shown.places.contains).map { plan.columns[$0].path }
        shape.selected = ShownColumns.selectList(names.filter { !shown.isWhole($0) }.map { $0[...] }) + shown.whole
        return shape
    }
}

extension QueryOptions {
    /// The options that follow `$apply`, as transformations in the order in which they are evaluated.
    var afterApply: [Transformation] {
        var steps: [Transformation] = []
        if !compute.isEmpty { steps.append(.compute(compute)) }
        if let search { steps.append(.search(search)) }
        if let filter { steps.append(.filter(filter)) }
        if !orderBy.isEmpty { steps.append(.orderBy(orderBy)) }
        if let skip { steps.append(.skip(Int64(skip))) }
        if let top { steps.append(.top(Int64(top))) }
        return steps
    }

    /// What the rows depend on.
    fileprivate var scopeText: String { "\(apply ?? []) \(afterApply)" }
}
