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
    var model: EntityModel
    let policies: PolicySet
    let limits: ServiceLimits
    /// How operations are run.
    var operations = OperationRunner()

    /// The policy that hides rows of a set from a user; `nil` when all can be seen.
    ///
    /// - Throws: `AccessDenied` when the user may not read the set at all, which says nothing of any row.
    func visibility(_ set: EntitySet, _ user: UserContext) throws(ODataError) -> TypedExpression? {
        let access = policies.access(.read, to: set.names.wire, for: user)
        if access == .none {
            // What a function gives may be of a set that the caller may not even know of.
            let isKnown = !model.unnamedSets.contains(set.names.wire)
            throw ODataError(
                service: ServiceCode.accessDenied,
                isKnown ? "You may not read \(set.names.wire)." : "You may not read what this leads to.",
                target: isKnown ? set.names.wire : nil
            )
        }
        return access.condition
    }

    /// A condition of a request, checked, and blind for rows that the user may not see.
    func condition(
        _ expression: Expression,
        _ compute: Computation = .none,
        over set: EntitySet,
        as derived: String? = nil,
        _ user: UserContext
    ) throws(ODataError) -> TypedExpression {
        let checker = compute.checker(over: set, as: derived, self, user)
        let condition = try expression.checkedCondition(by: checker, code: .invalidFilter)
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

    /// How a request wants its pages.
    struct Paging: Hashable {
        /// The most rows that the client wants on a page, of nested collections too.
        var size: Int?
        /// Whether an answer may be cut into pages at all.
        var isOn = true
        /// Whether collections inside rows may be cut too.
        var cutsExpansions = true
    }

    /// The plan and the shape of a collection or of one entity.
    ///
    /// - Parameters:
    ///   - restriction: what the path of the URL adds: a key, or the way from another entity.
    ///   - derived: the wire name of the derived type that the rows are cast to; `restriction` says that they are.
    func query(
        _ set: EntitySet,
        _ options: QueryOptions,
        restriction: TypedExpression? = nil,
        as derived: String? = nil,
        paging: Paging = Paging(),
        for user: UserContext
    ) throws(ODataError) -> Query {
        let policy = try visibility(set, user)
        let compute = try Computation(options.compute, over: set, as: derived, self, user)
        let filter = try filter(options, compute, over: set, as: derived, user)
        let selection = try Selection(options.select, set, as: derived, computed: compute.names, in: model)
        let source = Expander.Source(set: set, derivedType: derived)
        let expander = Expander(planner: self, user: user, paging: paging)
        var choices: [ItemChoice] = []
        let expansions = try expander.expansions(options.expand, of: source, depth: 1, &choices)
        var plan = ReadPlan(
            model: model,
            set: set,
            filter: Fence(policy: policy).filter(.all(restriction, filter)),
            orderBy: try sortKeys(options.orderBy, compute, over: set, as: derived, user),
            skip: options.skip ?? 0,
            top: options.top,
            columns: selection.columns,
            expansions: expansions.map(\.plan),
            pageLimit: paging.isOn
                ? ReadPlan.PageLimit(
                    rows: min(paging.size ?? limits.pageRows, limits.pageRows),
                    bytes: limits.pageBytes
                )
                : .unlimited,
            user: user
        )
        plan.computed = compute.expressions(selection)
        var shape = shape(set, selection, as: derived, expansions.map(\.shape), for: user)
        shape.operations = advertised(set, as: derived, isCollection: false, user)
        shape.columns += compute.columns(selection, in: model)
        try choose(selection, of: set, in: &shape, user, &choices)
        var query = Query(plan: plan, shape: shape, policy: policy, filter: filter, restriction: restriction)
        query.choices = choices
        query.fault = try fault(plan, asking: filter, expansions)
        return query
    }

    /// Has what `$select` chooses inside of collections and JSON stand with the columns of a shape.
    func choose(
        _ selection: Selection,
        of set: EntitySet,
        in shape: inout RowShape,
        _ user: UserContext,
        _ choices: inout [ItemChoice]
    ) throws(ODataError) {
        for (column, place) in selection.columns.enumerated() {
            guard let options = selection.itemOptions[place] else { continue }
            shape.columns[column].transform = choices.count
            choices.append(try ItemChoice(options, of: place, in: set, self, user))
        }
    }

    /// What `$filter` and `$search` ask for together.
    func filter(
        _ options: QueryOptions,
        _ compute: Computation,
        over set: EntitySet,
        as derived: String?,
        _ user: UserContext
    ) throws(ODataError) -> TypedExpression? {
        guard options.apply == nil else {
            throw ODataError(.notSupported, "$apply is not supported here.", target: "$apply")
        }
        var filter: TypedExpression?
        if let expression = options.filter {
            filter = try condition(expression, compute, over: set, as: derived, user).narrowed(over: set.type)
        }
        if let search = options.search { filter = .all(filter, try Search(set).condition(search)) }
        return filter
    }

    /// What the rows of a selection look like.
    func shape(
        _ set: EntitySet,
        _ selection: Selection,
        as derived: String?,
        _ expansions: [RowShape.Expansion],
        for user: UserContext
    ) -> RowShape {
        var shape = RowShape(set, columns: selection.columns, expansions: expansions, model: model)
        shape.selected = selection.names
        for (column, place) in selection.columns.enumerated() where selection.hidden.contains(place) {
            shape.columns[column].isHidden = true
        }
        if let chosen = selection.dynamic, let place = set.type.dynamicProperty,
            let column = selection.columns.firstIndex(of: place)
        {
            shape.columns[column].members = Dictionary(chosen.map { ($0, $0) }, uniquingKeysWith: { name, _ in name })
        }
        if !policies.isOpen {
            shape.links.removeAll { link in
                guard let place = set.type.navigationIndex(wire: link.name) else { return true }
                return policies.access(.read, to: set.type.navigationProperties[place].targetSet, for: user) == .none
            }
        }
        if let derived { shape.castType = "\(model.namespace).\(derived)" }
        return shape
    }

    func sortKeys(
        _ items: [OrderByItem],
        _ compute: Computation = .none,
        over set: EntitySet,
        as derived: String? = nil,
        _ user: UserContext
    ) throws(ODataError) -> [ReadPlan.SortKey] {
        var keys: [ReadPlan.SortKey] = []
        let checker = compute.checker(over: set, as: derived, self, user)
        let fence = Fence(policy: items.isEmpty ? nil : try visibility(set, user))
        for item in items {
            let expression = try item.expression.checked(by: checker, code: .invalidOrderBy)
            if case .list = expression.node {
                throw ODataError(.invalidOrderBy, "A list of values has no order.", target: "$orderby")
            }
            guard expression.structure == nil, expression.type?.isSpatial != true, expression.type != .binary else {
                throw ODataError(.notSupported, "Structures, shapes and bytes have no order.", target: "$orderby")
            }
            let value = fence.value(guarded(expression, over: set, user))
            keys.append(ReadPlan.SortKey(value, isDescending: item.isDescending))
        }
        return keys
    }
}
