// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineOData

/// A navigation property that is expanded, and what the options of its item mean over the related entities.
struct ExpandedNavigation {
    /// The place of the property in the type that it is expanded from.
    let place: Int
    let property: NavigationProperty
    let item: ExpandItem
    /// The set of the related entities.
    let target: EntitySet
    /// The derived type that the related entities are cast to.
    let derivedType: String?
    /// The way back to the entities of the request itself, see ``Expander/Source/instance``.
    let instance: [Int]?
    /// What hides related entities from the user.
    let policy: TypedExpression?
    let compute: Computation
    /// Which related entities are asked for: those of the cast type that `$filter` and `$search` choose.
    let wish: TypedExpression?
    let selection: Selection

    init(
        _ place: Int,
        _ item: ExpandItem,
        of source: Expander.Source,
        _ planner: Planner,
        _ user: UserContext
    ) throws(ODataError) {
        let property = source.set.type.navigationProperties[place]
        let options = item.options
        guard let target = planner.model[set: property.targetSet] else {
            throw ODataError(.invalidExpand, "\(property.names.wire) leads nowhere.", target: property.names.wire)
        }
        let policy = try planner.visibility(target, user)
        let derived = try Self.derivedType(item, of: target, in: planner.model)
        let inverse = source.set.inverse(of: place, in: target)
        let instance = source.instance.flatMap { way in inverse.map { [$0] + way } }
        let compute = try Computation(options.compute, over: target, as: derived, instance: instance, planner, user)
        let filter = try planner.filter(options, compute, over: target, as: derived, user)
        // References and numbers show no properties.
        let selection =
            item.content == .entities
            ? try Selection(options.select, target, as: derived, computed: compute.names, in: planner.model)
            : try Selection([], target, as: derived, in: planner.model)
        self.place = place
        self.property = property
        self.item = item
        self.target = target
        derivedType = derived
        self.instance = instance
        self.policy = policy
        self.compute = compute
        wish = .all(derived.map { target.type.isOf($0) }, filter)
        self.selection = selection
    }

    /// Whether the related entities themselves stand in the row.
    var isWhole: Bool { item.content == .entities }

    /// What the expansions inside it are expanded from.
    var source: Expander.Source { Expander.Source(set: target, derivedType: derivedType, instance: instance) }

    /// The names of the navigation properties on the way back; none where no way leads back.
    func wayToInstance(in model: EntityModel) -> [String] {
        var set: EntitySet? = target
        return (instance ?? []).compactMap { place in
            let property = set?.type.navigationProperties[place]
            set = property.flatMap { model[set: $0.targetSet] }
            return property?.names.wire
        }
    }

    private static func derivedType(
        _ item: ExpandItem,
        of target: EntitySet,
        in model: EntityModel
    ) throws(ODataError) -> String? {
        guard let name = item.cast else { return nil }
        guard let derived = target.type.cast(name, in: model) else {
            throw ODataError(.invalidExpand, "\(target.names.wire) has no type \(name).", target: name)
        }
        return derived
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
