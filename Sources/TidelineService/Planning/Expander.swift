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
        /// The way to the entities of the request itself, which `$it` means; `nil` where none leads there.
        var instance: [Int]? = []
    }

    struct Expansion {
        var plan: ReadPlan.Expansion
        var shape: RowShape.Expansion
        /// What hides related entities from the user.
        var policy: TypedExpression?
        /// For which related entities an integer is divided by zero.
        var fault: TypedExpression?
    }

    let planner: Planner
    let user: UserContext
    let paging: Planner.Paging

    /// - Parameter choices: what the columns of the shapes choose, to which each adds its own.
    func expansions(
        _ items: [ExpandItem],
        of source: Source,
        depth: Int,
        _ choices: inout [ItemChoice]
    ) throws(ODataError) -> [Expansion] {
        guard items.isEmpty || depth <= planner.limits.expandDepth else {
            throw ODataError(
                .tooComplex,
                "$expand nests deeper than \(planner.limits.expandDepth) levels.",
                target: "$expand"
            )
        }
        var planned: [Expansion] = []
        var seen: Set<String> = []
        for item in items {
            for place in try navigations(item, of: source) {
                let name = item.alias ?? source.set.type.navigationProperties[place].names.wire
                guard item.alias == nil || source.set.type.member(name, as: nil) == nil else {
                    throw ODataError(.invalidQueryOption, "\(name) is a name that is taken.", target: name)
                }
                guard seen.insert(name).inserted else {
                    if item.navigation == "*" { continue }
                    throw ODataError(.invalidExpand, "\(name) is expanded twice.", target: "$expand")
                }
                planned.append(try expansion(place, item, of: source, depth: depth, &choices))
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
        if item.content == .value || item.navigation.hasPrefix("@") {
            throw ODataError(.notSupported, "$expand is for navigation properties.", target: item.navigation)
        }
        var derived = source.derivedType
        for name in item.prefix {
            guard let cast = set.type.cast(name, in: planner.model) else {
                throw ODataError(
                    .invalidExpand,
                    "\(set.names.wire) has no navigation property \(name)/\(item.navigation).",
                    target: item.navigation
                )
            }
            derived = cast ?? derived
        }
        guard case .navigation(let place)? = set.type.member(item.navigation, as: derived) else {
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
        depth: Int,
        _ choices: inout [ItemChoice]
    ) throws(ODataError) -> Expansion {
        let expanded = try ExpandedNavigation(place, item, of: source, planner, user)
        var options = item.options
        var nested: [Expansion] = []
        if expanded.isWhole {
            options.expand += try deeper(item, from: source.set, to: expanded.target, depth: depth)
            nested = try expansions(options.expand, of: expanded.source, depth: depth + 1, &choices)
        }
        let limit = pageLimit(expanded.property, item)
        let plan = try plan(expanded, nested, limit)
        var shape = try shape(expanded, nested, &choices)
        if let limit, (options.top ?? .max) > limit {
            let cast = expanded.derivedType.map { "/\(planner.model.namespace).\($0)" } ?? ""
            shape.rest = RowShape.Expansion.Rest(
                segments: cast + (expanded.isWhole ? "" : "/$ref"),
                // The rest is expanded as the first are, with the levels that are left.
                query: options.rest(after: limit, way: expanded.wayToInstance(in: planner.model)),
                scope: Scope(rest: plan, policy: expanded.policy, for: user).hash
            )
        }
        var expansion = Expansion(
            plan: ReadPlan.Expansion(
                navigation: place,
                plan: plan,
                includesCount: (options.count || item.content == .count) && expanded.property.isCollection,
                linkFilter: try linkFilter(expanded.property)
            ),
            shape: shape,
            policy: expanded.policy
        )
        expansion.fault = try planner.fault(plan, asking: expanded.wish, nested)
        return expansion
    }

    /// What is read of the related entities of one row.
    private func plan(
        _ expanded: ExpandedNavigation,
        _ nested: [Expansion],
        _ limit: Int?
    ) throws(ODataError) -> ReadPlan {
        let (options, target, compute) = (expanded.item.options, expanded.target, expanded.compute)
        var plan = ReadPlan(
            model: planner.model,
            set: target,
            filter: Fence(policy: expanded.policy).filter(expanded.wish),
            orderBy: try planner.sortKeys(options.orderBy, compute, over: target, as: expanded.derivedType, user),
            skip: options.skip ?? 0,
            top: options.top,
            columns: expanded.selection.columns,
            expansions: nested.map(\.plan),
            includesETag: expanded.isWhole,
            user: user
        )
        plan.computed = compute.expressions(expanded.selection)
        if let limit { plan.pageLimit.rows = limit }
        if expanded.item.content == .count { plan.top = 0 }
        return plan
    }

    /// What the related entities look like in their row.
    private func shape(
        _ expanded: ExpandedNavigation,
        _ nested: [Expansion],
        _ choices: inout [ItemChoice]
    ) throws(ODataError) -> RowShape.Expansion {
        let (item, navigation, target) = (expanded.item, expanded.property, expanded.target)
        let selection = expanded.selection
        var shape = RowShape.Expansion(
            name: item.alias ?? navigation.names.wire,
            isCollection: navigation.isCollection,
            shape: planner.shape(target, selection, as: expanded.derivedType, nested.map(\.shape), for: user)
        )
        shape.shape.columns += expanded.compute.columns(selection, in: planner.model)
        try planner.choose(selection, of: target, in: &shape.shape, user, &choices)
        shape.content = item.content == .entities ? .entities : item.content == .references ? .references : .count
        shape.declaringType = navigation.declaringType
        if item.alias != nil {
            let list = shape.shape.selected.map { "(\($0.joined(separator: ",")))" } ?? ""
            shape.context = "#\(target.names.wire)\(list)\(navigation.isCollection ? "" : "/$entity")"
        }
        shape.isRecursive = item.options.levels.map { $0 != .number(1) } ?? false
        for place in shape.shape.expansions.indices where shape.shape.expansions[place].name == shape.name {
            shape.shape.expansions[place].isRepetition = shape.isRecursive
        }
        return shape
    }

    /// The same expansion one level further in, where `$levels` asks for it.
    ///
    /// Source: OData Protocol 4.01, section 11.2.5.2.1.1; OData URL Conventions 4.01, section 5.1.3.
    private func deeper(
        _ item: ExpandItem,
        from source: EntitySet,
        to target: EntitySet,
        depth: Int
    ) throws(ODataError) -> [ExpandItem] {
        var next = item
        switch item.options.levels {
        case nil, .number(1)?: return []
        case .number(let count)?: next.options.levels = .number(count - 1)
        case .max?:
            guard depth < planner.limits.expandDepth else { return [] }
        }
        if item.navigation != "*", target.type.navigationIndex(wire: item.navigation) == nil {
            throw ODataError(
                .invalidExpand,
                "$levels is for navigation properties that lead to their own type.",
                target: item.navigation
            )
        }
        return [next]
    }

    /// The policy over the link rows of a many-to-many navigation property.
    private func linkFilter(_ navigation: NavigationProperty) throws(ODataError) -> TypedExpression? {
        guard let link = navigation.link, let set = planner.model[set: link.set] else { return nil }
        return try planner.visibility(set, user)
    }

    /// The most entities that stand in one row.
    ///
    /// Source: OData Protocol 4.01, section 8.2.8.6: `maxpagesize` is for nested collections too.
    private func pageLimit(_ navigation: NavigationProperty, _ item: ExpandItem) -> Int? {
        guard paging.isOn, paging.cutsExpansions, navigation.isCollection, item.content != .count else { return nil }
        // No address says what the rest of them would be.
        guard !item.hasAlias else { return nil }
        return min(paging.size ?? planner.limits.pageRows, planner.limits.pageRows)
    }
}

extension ExpandItem {
    /// Whether it, or one inside it, has a name of its own.
    fileprivate var hasAlias: Bool { alias != nil || options.expand.contains(where: \.hasAlias) }
}
