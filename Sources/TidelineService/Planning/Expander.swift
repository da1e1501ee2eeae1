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
        let navigation = source.set.type.navigationProperties[place]
        let options = item.options
        guard let target = planner.model[set: navigation.targetSet] else {
            throw ODataError(.invalidExpand, "\(navigation.names.wire) leads nowhere.", target: navigation.names.wire)
        }
        let policy = try planner.visibility(target, user)
        let derived = try cast(item, to: target)
        let inverse = source.set.inverse(of: place, in: target)
        let instance = source.instance.flatMap { way in inverse.map { [$0] + way } }
        let compute = try Computation(options.compute, over: target, as: derived, instance: instance, planner, user)
        let filter = try planner.filter(options, compute, over: target, as: derived, user)
        let isWhole = item.content == .entities
        let selection =
            isWhole
            ? try Selection(options.select, target, as: derived, computed: compute.names, in: planner.model)
            : try Selection([], target, as: derived, in: planner.model)
        var whole = options
        if isWhole { whole.expand += try deeper(item, from: source.set, to: target, depth: depth) }
        let nested =
            isWhole
            ? try expansions(
                whole.expand,
                of: Source(set: target, derivedType: derived, instance: instance),
                depth: depth + 1,
                &choices
            ) : []
        let limit = pageLimit(navigation, item)
        var plan = ReadPlan(
            model: planner.model,
            set: target,
            filter: Fence(policy: policy).filter(.all(derived.map { target.type.isOf($0) }, filter)),
            orderBy: try planner.sortKeys(options.orderBy, compute, over: target, as: derived, user),
            skip: options.skip ?? 0,
            top: options.top,
            columns: selection.columns,
            expansions: nested.map(\.plan),
            includesETag: isWhole,
            user: user
        )
        plan.computed = compute.expressions(selection)
        // One more than a page, to know whether there is another.
        if let limit { plan.top = min(options.top ?? .max, limit + 1) }
        if item.content == .count { plan.top = 0 }
        var shape = RowShape.Expansion(
            name: item.alias ?? navigation.names.wire,
            isCollection: navigation.isCollection,
            shape: planner.shape(target, selection, as: derived, nested.map(\.shape), for: user)
        )
        shape.shape.columns += compute.columns(selection, in: planner.model)
        try planner.choose(selection, of: target, in: &shape.shape, user, &choices)
        shape.content = item.content == .entities ? .entities : item.content == .references ? .references : .count
        shape.declaringType = navigation.declaringType
        if item.alias != nil {
            let list = shape.shape.selected.map { "(\($0.joined(separator: ",")))" } ?? ""
            shape.context = "#\(target.names.wire)\(list)\(navigation.isCollection ? "" : "/$entity")"
        }
        shape.isRecursive = options.levels.map { $0 != .number(1) } ?? false
        for place in shape.shape.expansions.indices where shape.shape.expansions[place].name == shape.name {
            shape.shape.expansions[place].isRepetition = shape.isRecursive
        }
        if let limit, (options.top ?? .max) > limit {
            shape.pageLimit = limit
            // The rest is expanded as the first are, with the levels that are left.
            shape.nextQuery = whole.nextQuery(after: limit)
            shape.nextSegments =
                (derived.map { "/\(planner.model.namespace).\($0)" } ?? "") + (isWhole ? "" : "/$ref")
        }
        var expansion = Expansion(
            plan: ReadPlan.Expansion(
                navigation: place,
                plan: plan,
                includesCount: (options.count || item.content == .count) && navigation.isCollection,
                linkFilter: try linkFilter(navigation)
            ),
            shape: shape,
            policy: policy
        )
        let wish = TypedExpression.all(derived.map { target.type.isOf($0) }, filter)
        expansion.fault = try planner.fault(plan, asking: wish, nested)
        return expansion
    }

    /// The derived type that the related entities are cast to.
    private func cast(_ item: ExpandItem, to target: EntitySet) throws(ODataError) -> String? {
        guard let name = item.cast else { return nil }
        guard let derived = target.type.cast(name, in: planner.model) else {
            throw ODataError(.invalidExpand, "\(target.names.wire) has no type \(name).", target: name)
        }
        return derived
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

extension EntitySet {
    /// The place, in the entity type that a navigation property leads to, of the single-valued one that leads back.
    fileprivate func inverse(of navigation: Int, in target: EntitySet) -> Int? {
        let constraints = type.navigationProperties[navigation].constraints
        guard !constraints.isEmpty else { return nil }
        let back = Set(constraints.map { [$0.target, $0.source] })
        return target.type.navigationProperties.firstIndex { other in
            !other.isCollection && other.targetSet == names.wire && other.declaringType == nil
                && Set(other.constraints.map { [$0.source, $0.target] }) == back
        }
    }
}

extension ExpandItem {
    /// Whether it, or one inside it, has a name of its own.
    fileprivate var hasAlias: Bool { alias != nil || options.expand.contains(where: \.hasAlias) }
}
