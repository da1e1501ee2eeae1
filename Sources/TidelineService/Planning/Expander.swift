// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineOData
import TidelineStorage

/// Plans `$expand`: what is read and written with each row, behind the policy of each set that is entered.
///
/// Source: OData Protocol 4.01, section 11.2.5.2; OData URL Conventions 4.01, section 5.1.3.
struct Expander {
    /// What is expanded.
    struct Source {
        var set: EntitySet
        var derivedType: String?
    }

    struct Expansion {
        var plan: ReadPlan.Expansion
        var shape: RowShape.Expansion
    }

    let planner: Planner
    let user: UserContext
    let paging: Planner.Paging

    func expansions(_ items: [ExpandItem], of source: Source, depth: Int) throws(ODataError) -> [Expansion] {
        guard items.isEmpty || depth <= planner.limits.expandDepth else {
            throw ODataError(
                .tooComplex,
                "$expand nests deeper than \(planner.limits.expandDepth) levels.",
                target: "$expand"
            )
        }
        var planned: [Expansion] = []
        var seen: Set<Int> = []
        for item in items {
            for place in try navigations(item, of: source) {
                guard seen.insert(place).inserted else {
                    if item.navigation == "*" { continue }
                    throw ODataError(.invalidExpand, "\(item.navigation) is expanded twice.", target: "$expand")
                }
                planned.append(try expansion(place, item, of: source, depth: depth))
            }
        }
        return planned
    }

    /// The places that an item names: one, or for `*` all that the user may read.
    private func navigations(_ item: ExpandItem, of source: Source) throws(ODataError) -> [Int] {
        let set = source.set
        if item.navigation == "*" {
            return set.type.navigationProperties.indices.filter {
                let navigation = set.type.navigationProperties[$0]
                guard navigation.declaringType == nil || navigation.declaringType == source.derivedType else {
                    return false
                }
                return planner.policies.access(.read, to: navigation.targetSet, for: user) != .none
            }
        }
        var names = item.navigation.split(separator: "/").map(String.init)
        var derived = source.derivedType
        if names.count == 2, let cast = set.type.cast(names[0], in: planner.model) {
            derived = cast ?? derived
            names.removeFirst()
        }
        guard names.count == 1, case .navigation(let place)? = set.type.member(names[0], as: derived) else {
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
        _ item: ExpandItem,
        of source: Source,
        depth: Int
    ) throws(ODataError) -> Expansion {
        let navigation = source.set.type.navigationProperties[place]
        let options = item.options
        guard let target = planner.model[set: navigation.targetSet] else {
            throw ODataError(.invalidExpand, "\(navigation.names.wire) leads nowhere.", target: navigation.names.wire)
        }
        let policy = try planner.visibility(target, user)
        var filter: TypedExpression?
        if let expression = options.filter { filter = try planner.condition(expression, over: target, user) }
        let derived: String? = nil
        let isWhole = item.content == .entities
        let selection =
            isWhole
            ? try Selection(options.select, target, as: derived, in: planner.model)
            : try Selection([], target, as: derived, in: planner.model)
        let nested =
            isWhole
            ? try expansions(options.expand, of: Source(set: target, derivedType: derived), depth: depth + 1) : []
        let limit = pageLimit(navigation, item)
        var plan = ReadPlan(
            model: planner.model,
            set: target,
            filter: .all(policy, filter),
            orderBy: try planner.sortKeys(options.orderBy, over: target, user),
            skip: options.skip ?? 0,
            top: options.top,
            columns: selection.columns,
            expansions: nested.map(\.plan),
            includesETag: isWhole,
            user: user
        )
        // One more than a page, to know whether there is another.
        if let limit { plan.top = min(options.top ?? .max, limit + 1) }
        if item.content == .count { plan.top = 0 }
        var shape = RowShape.Expansion(
            name: navigation.names.wire,
            isCollection: navigation.isCollection,
            shape: planner.shape(target, selection, as: derived, nested.map(\.shape))
        )
        shape.content = item.content == .entities ? .entities : item.content == .references ? .references : .count
        shape.declaringType = navigation.declaringType
        if let limit, (options.top ?? .max) > limit {
            shape.pageLimit = limit
            shape.nextQuery = options.nextQuery(after: limit)
        }
        return Expansion(
            plan: ReadPlan.Expansion(
                navigation: place,
                plan: plan,
                includesCount: (options.count || item.content == .count) && navigation.isCollection
            ),
            shape: shape
        )
    }

    /// The most entities that stand in one row.
    ///
    /// Source: OData Protocol 4.01, section 8.2.8.6: `maxpagesize` is for nested collections too.
    private func pageLimit(_ navigation: NavigationProperty, _ item: ExpandItem) -> Int? {
        guard paging.isOn, navigation.isCollection, item.content != .count else { return nil }
        return min(paging.size ?? planner.limits.pageRows, planner.limits.pageRows)
    }
}
