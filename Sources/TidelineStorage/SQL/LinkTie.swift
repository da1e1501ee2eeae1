// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// What ties the rows of a many-to-many expansion to one row of the parent: a row of the link table.
struct LinkTie {
    let set: EntitySet
    let toOwner: NavigationProperty
    /// The place of the link row's navigation property to the related entity.
    let toTarget: Int
    let filter: TypedExpression?

    /// - Returns: `nil` for an expansion without a link table.
    init?(_ expansion: ReadPlan.Expansion, of parent: EntitySet) {
        guard let link = expansion.link(of: parent) else { return nil }
        set = link.set
        toOwner = link.set.type.navigationProperties[link.toOwner]
        toTarget = link.toTarget
        filter = expansion.linkFilter
    }
}

extension ReadPlan.Expansion {
    /// The values of a parent's row that the statement gets, and the properties that they are compared with.
    func parameters(of parent: EntitySet) -> [SelectStatement.Parameter] {
        if let link = LinkTie(self, of: parent) {
            return link.toOwner.constraints.map { pair in
                SelectStatement.Parameter(source: pair.target, property: link.set.type.properties[pair.source])
            }
        }
        return parent.type.navigationProperties[navigation].constraints.map { pair in
            SelectStatement.Parameter(source: pair.source, property: plan.set.type.properties[pair.target])
        }
    }
}

extension SQLCompiler {
    /// That a link row leads from the parent, whose values are the parameters, to the row at hand.
    mutating func exists(_ link: LinkTie) -> SQLFragment {
        let row = Scope(alias: nextAlias(), set: link.set, joins: false)
        var conditions = link.toOwner.constraints.enumerated().map { place, pair -> SQLFragment in
            let property = link.set.type.properties[pair.source]
            return "\(collated(column(property, of: row), property, isEquality: true)) = \(SQLFragment(outer: place))"
        }
        conditions.append(joinCondition(link.toTarget, from: row, to: root.alias, root.set, nil))
        if let filter = link.filter { conditions.append(condition(filter, in: row).grouped) }
        let table = "\(dialect.table(link.set)) AS \(raw: row.alias)" as SQLFragment
        return "EXISTS (SELECT 1 FROM \(table) WHERE \(SQLFragment(conditions, separator: " AND ")))"
    }
}
