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
        guard options.select == nil, options.expand.isEmpty, options.search == nil, !options.count,
            options.deltaToken == nil
        else {
            throw ODataError(.notSupported, "$apply goes with $filter, $orderby, $skip and $top.", target: "$apply")
        }
        var steps = transformations
        if let filter = options.filter { steps.append(.filter(filter)) }
        if !options.compute.isEmpty { steps.append(.compute(options.compute)) }
        if !options.orderBy.isEmpty { steps.append(.orderBy(options.orderBy)) }
        if let skip = options.skip { steps.append(.skip(Int64(skip))) }
        if let top = options.top { steps.append(.top(Int64(top))) }
        var plan = try core.planner.aggregation(steps, over: collection, for: call.user)
        let limit = min(call.preferences.maxPageSize ?? core.planner.limits.pageRows, core.planner.limits.pageRows)
        // The rows depend on the whole query: a token is good for its text and its user alone.
        let scope = Array("$apply \(call.userName ?? "") \(call.user.id) \(collection.set.names.wire) \(steps)".utf8)
        if let text = options.skipToken {
            let token = try core.token(text, option: "$skiptoken")
            guard token.scope == ETag(of: scope).text.utf8.map({ $0 }), case .page(_, let delivered, _, _) = token.place
            else { throw DeltaHandler.scopeChanged }
            plan.skip = delivered
        }
        if call.isPaged { plan.top = limit + 1 }
        let writer = JSONEntityWriter(shape: shape(of: plan), format: call.format)
        if call.isPaged { writer.limitRows(to: limit) }
        writer.begin(.collection, contextRoot: call.contextRoot)
        _ = try reader.aggregate(plan, into: writer)
        if let failure = writer.failure { throw failure }
        var next: String?
        if writer.hasMoreRows {
            let place = LinkToken.Place.page(after: [], delivered: plan.skip + limit, start: nil, count: nil)
            next = Link(call: call).next(
                core.text(of: LinkToken(place: place, scope: Array(ETag(of: scope).text.utf8)))
            )
        }
        writer.end(nextLink: next)
        return Answer(.ok, fields: dataFields(isPaged: call.isPaged), body: .bytes(writer.output.bytes))
    }

    /// The result's columns; those at the end of a path stand in objects, as the entities did that they came from.
    private func shape(of plan: AggregationPlan) -> RowShape {
        var shape = RowShape(set: plan.set.names.wire, key: [], columns: [], includesETag: false)
        var containers: [[String]: Int] = [:]
        for column in plan.columns {
            var container: Int?
            for depth in column.path.indices.dropLast() {
                let path = Array(column.path[...depth])
                if containers[path] == nil {
                    containers[path] = shape.complexes.count
                    let name = column.path[depth]
                    shape.complexes.append(RowShape.Complex(name: name, type: "", isNullable: true, parent: container))
                }
                container = containers[path]
            }
            var made = RowShape.Column(name: column.path.last ?? "", type: column.type ?? .string)
            made.container = container
            if let type = column.enumeration.flatMap({ core.planner.model[enumeration: $0] }) {
                made.form = .enumeration(type)
            } else if column.structure != nil {
                made.form = .json
            } else if made.type.isSpatial {
                made.form = .spatial
            }
            shape.columns.append(made)
        }
        shape.selected = Self.selectList(plan.columns.map { $0.path[...] })
        return shape
    }

    /// `Customer(Country),Total`.
    private static func selectList(_ paths: [ArraySlice<String>]) -> [String] {
        var names: [String] = []
        for path in paths { if let name = path.first, !names.contains(name) { names.append(name) } }
        return names.map { name in
            let inner = paths.filter { $0.first == name && $0.count > 1 }.map { $0.dropFirst() }
            return inner.isEmpty ? name : "\(name)(\(selectList(inner).joined(separator: ",")))"
        }
    }
}

extension Planner {
    /// The plan of `$apply`, behind the policies of the set and of all that its paths enter.
    func aggregation(
        _ transformations: [Transformation],
        over collection: Resource.Collection,
        for user: UserContext
    ) throws(ODataError) -> AggregationPlan {
        let set = collection.set
        let policy = try visibility(set, user)
        do throws(ExpressionError) {
            var plan = try AggregationPlanner.plan(
                transformations,
                over: set,
                in: model,
                filter: Fence(policy: policy).filter(collection.restriction),
                user: user,
                guarded: { guarded($0, over: set, user) }
            )
            plan.isFenced = policy != nil && !plan.steps.allSatisfy(\.isHarmless)
            return plan
        } catch {
            let code = error.code == .unsupported ? ODataError.Code.notSupported : .invalidQueryOption
            throw ODataError(code, error.message, target: error.target ?? "$apply")
        }
    }
}
