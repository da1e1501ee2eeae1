// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineOData
import TidelineStorage

/// Makes read plans: the one place where policies meet reads.
///
/// Every handler, batch part, expansion, delta, bind and key in a URL gets its rows through a plan or a condition made
/// here, so nothing goes round the policies.
struct Planner: Sendable {
    let model: EntityModel
    let policies: PolicySet
    let limits: ServiceLimits

    /// The policy that hides rows of a set from a user; `nil` when all can be seen.
    ///
    /// - Throws: `AccessDenied` when the user may not read the set at all, which says nothing of any row.
    func visibility(_ set: EntitySet, _ user: UserContext) throws(ODataError) -> TypedExpression? {
        let access = policies.access(.read, to: set.names.wire, for: user)
        if access == .none {
            throw ODataError(
                service: ServiceCode.accessDenied,
                "You may not read \(set.names.wire).",
                target: set.names.wire
            )
        }
        return access.condition
    }

    /// A condition of a request, checked, and blind for rows that the user may not see.
    func condition(
        _ expression: Expression,
        over set: EntitySet,
        _ user: UserContext
    ) throws(ODataError) -> TypedExpression {
        let condition = try expression.checkedCondition(over: set, in: model, code: .invalidFilter)
        guard condition.connectives <= Self.connectiveLimit else {
            throw ODataError(
                .tooComplex,
                "The filter joins more than \(Self.connectiveLimit) conditions; a list of values is written with in.",
                target: "$filter"
            )
        }
        return guarded(condition, over: set, user)
    }

    /// SQLite takes expressions up to a depth of 1000, and a chain of conditions is as deep as it is long; policies and
    /// what a delta adds must fit beside the filter.
    private static let connectiveLimit = 500

    /// The expression with each step of its paths behind the policy of the set that it enters: where a row on the way
    /// is hidden, the path is null, as if that row were absent.
    func guarded(_ expression: TypedExpression, over set: EntitySet, _ user: UserContext) -> TypedExpression {
        if policies.isOpen { return expression }
        return Guarding(model: model, policies: policies, user: user).guarded(expression, [set])
    }

    /// The plan and the shape of a collection or of one entity.
    ///
    /// - Parameters:
    ///   - restriction: what the path of the URL adds: a key, or the way from another entity.
    ///   - pageSize: the most rows that the client wants on a page.
    func query(
        _ set: EntitySet,
        _ options: QueryOptions,
        restriction: TypedExpression? = nil,
        pageSize: Int? = nil,
        for user: UserContext
    ) throws(ODataError) -> Query {
        let policy = try visibility(set, user)
        var filter: TypedExpression?
        if let expression = options.filter { filter = try condition(expression, over: set, user) }
        let selection = try Selection(options.select, set)
        let expansions = try self.expansions(options.expand, of: set, depth: 1, user)
        let plan = ReadPlan(
            model: model,
            set: set,
            filter: .all(restriction, .all(policy, filter)),
            orderBy: try sortKeys(options.orderBy, over: set, user),
            skip: options.skip ?? 0,
            top: options.top,
            columns: selection.columns,
            expansions: expansions.map(\.plan),
            pageLimit: ReadPlan.PageLimit(
                rows: min(pageSize ?? limits.pageRows, limits.pageRows),
                bytes: limits.pageBytes
            ),
            user: user
        )
        let shape = RowShape(set, columns: selection.columns, expansions: expansions.map(\.shape))
        return Query(plan: plan, shape: shape, policy: policy, filter: filter, restriction: restriction)
    }

    private func sortKeys(
        _ items: [OrderByItem],
        over set: EntitySet,
        _ user: UserContext
    ) throws(ODataError) -> [ReadPlan.SortKey] {
        var keys: [ReadPlan.SortKey] = []
        for item in items {
            let expression = try item.expression.checked(over: set, in: model, code: .invalidOrderBy)
            keys.append(ReadPlan.SortKey(guarded(expression, over: set, user), isDescending: item.isDescending))
        }
        return keys
    }

    private struct PlannedExpansion {
        var plan: ReadPlan.Expansion
        var shape: RowShape.Expansion
    }

    private func expansions(
        _ items: [ExpandItem],
        of set: EntitySet,
        depth: Int,
        _ user: UserContext
    ) throws(ODataError) -> [PlannedExpansion] {
        guard items.isEmpty || depth <= limits.expandDepth else {
            throw ODataError(.tooComplex, "$expand nests deeper than \(limits.expandDepth) levels.", target: "$expand")
        }
        var planned: [PlannedExpansion] = []
        var seen: Set<Int> = []
        for item in items {
            guard item.content == .entities else {
                throw ODataError(
                    .notSupported,
                    "$ref and $count inside $expand are not supported yet.",
                    target: "$expand"
                )
            }
            for place in try navigations(item, of: set, user) {
                guard seen.insert(place).inserted else {
                    throw ODataError(.invalidExpand, "\(item.navigation) is expanded twice.", target: "$expand")
                }
                planned.append(try expansion(place, item.options, of: set, depth: depth, user))
            }
        }
        return planned
    }

    /// The places that an item names: one, or for `*` all that the user may read.
    private func navigations(_ item: ExpandItem, of set: EntitySet, _ user: UserContext) throws(ODataError) -> [Int] {
        if item.navigation == "*" {
            return set.type.navigationProperties.indices.filter {
                policies.access(.read, to: set.type.navigationProperties[$0].targetSet, for: user) != .none
            }
        }
        guard let place = set.type.navigationIndex(wire: item.navigation) else {
            throw ODataError(
                .invalidExpand,
                "\(set.names.wire) has no navigation property \(item.navigation).",
                target: item.navigation
            )
        }
        return [place]
    }

    private func expansion(
        _ place: Int,
        _ options: QueryOptions,
        of set: EntitySet,
        depth: Int,
        _ user: UserContext
    ) throws(ODataError) -> PlannedExpansion {
        let navigation = set.type.navigationProperties[place]
        guard let target = model[set: navigation.targetSet] else {
            throw ODataError(.invalidExpand, "\(navigation.names.wire) leads nowhere.", target: navigation.names.wire)
        }
        let policy = try visibility(target, user)
        var filter: TypedExpression?
        if let expression = options.filter { filter = try condition(expression, over: target, user) }
        let selection = try Selection(options.select, target)
        let nested = try expansions(options.expand, of: target, depth: depth + 1, user)
        let plan = ReadPlan(
            model: model,
            set: target,
            filter: .all(policy, filter),
            orderBy: try sortKeys(options.orderBy, over: target, user),
            skip: options.skip ?? 0,
            top: options.top,
            columns: selection.columns,
            expansions: nested.map(\.plan),
            user: user
        )
        return PlannedExpansion(
            plan: ReadPlan.Expansion(
                navigation: place,
                plan: plan,
                includesCount: options.count && navigation.isCollection
            ),
            shape: RowShape.Expansion(
                name: navigation.names.wire,
                isCollection: navigation.isCollection,
                shape: RowShape(target, columns: selection.columns, expansions: nested.map(\.shape))
            )
        )
    }
}
