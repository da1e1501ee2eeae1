// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Collections whose items are rows of a table of their own, as the JSON text that other collections are.
///
///     (SELECT '[' || … || ']' FROM post_tags AS i WHERE i.post_id = t0.id ORDER BY i.position)
extension SQLDialect {
    /// The JSON text of all items of a row: a column like any other, and one statement for all rows.
    func items(_ items: ItemTable, of set: EntitySet, alias: String) -> SQLFragment {
        let inner = "tideline_item"
        return list(
            of: item(items, alias: inner),
            from: itemSource(items, alias: inner),
            where: itemCondition(items, alias: inner, of: set, row: SQLFragment(raw: alias)),
            order: itemOrder(items, alias: inner)
        )
    }

    func itemSource(_ items: ItemTable, alias: String) -> SQLFragment {
        let table = EntitySet(
            names: Names(wire: items.name),
            type: EntityType(names: Names(wire: items.name), properties: [], key: [])
        )
        return "\(self.table(table)) AS \(raw: alias)"
    }

    /// What ties an item to its row: the columns as they are, so that an index serves.
    func itemCondition(_ items: ItemTable, alias: String, of set: EntitySet, row: SQLFragment) -> SQLFragment {
        let pairs = zip(items.key, set.type.key).map { column, place -> SQLFragment in
            "\(raw: alias).\(name: column) = \(row).\(name: set.type.properties[place].names.database)"
        }
        return SQLFragment(pairs, separator: " AND ")
    }

    private func itemOrder(_ items: ItemTable, alias: String) -> [SQLFragment] {
        var order = items.order.map { ["\(raw: alias).\(name: $0)" as SQLFragment] } ?? []
        for value in items.values {
            let column: SQLFragment = "\(raw: alias).\(name: value.names.database)"
            order.append(value.type == .string && value.storage == .native ? binaryText(column) : column)
        }
        return order
    }

    /// The JSON text of one item.
    func item(_ items: ItemTable, alias: String) -> SQLFragment {
        func text(_ value: Property) -> SQLFragment {
            json("\(raw: alias).\(name: value.names.database)", value)
        }
        guard items.values.count > 1 || items.isComplex else { return items.values.first.map(text) ?? "'null'" }
        var pieces: [SQLFragment] = []
        for (place, value) in items.values.enumerated() {
            // Names on the wire are identifiers: nothing in them is to be escaped.
            pieces.append(SQLFragment(raw: "'\(place == 0 ? "{" : ",")\"\(value.names.wire)\":'"))
            pieces.append(text(value))
        }
        return "(\(SQLFragment(pieces + ["'}'"], separator: " || ")))"
    }

    /// A stored column as JSON text; `null` for null.
    func json(_ column: SQLFragment, _ property: Property) -> SQLFragment {
        if property.type == .string || property.storage == .memberName {
            return "COALESCE(\(quotedJSON(text(column, property))), 'null')"
        }
        let text = cast(computed(column, property), from: property.type, to: .string)
        switch property.type {
        case .double, .single:
            let special: SQLFragment = "\(text) IN ('INF', '-INF', 'NaN')"
            return "COALESCE(CASE WHEN \(special) THEN \(quotedJSON(text)) ELSE \(text) END, 'null')"
        case .boolean, .byte, .sbyte, .int16, .int32, .int64, .decimal: return "COALESCE(\(text), 'null')"
        default: return "COALESCE(\(quotedJSON(text)), 'null')"
        }
    }
}
