// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

package import TidelineModel

extension ReadPlan {
    /// The key, where the plan reads all properties of the one row that has it: a store has the statement of that ready.
    ///
    /// `nil` for any other plan, and for keys that a column may hold in more than one way, such as decimals.
    package var wholeEntity: Key? {
        guard let filter, top == 1, pageLimit.rows > 0, skip == 0, after == nil, orderBy.isEmpty, includesETag,
            source == nil, restriction == nil, conditions.isEmpty, expansions.isEmpty, computed.isEmpty,
            columns.elementsEqual(set.type.properties.indices)
        else { return nil }
        var values: [Int: Value] = [:]
        guard add(filter, to: &values), values.count == set.type.key.count else { return nil }
        let key = Key(set.type.key.compactMap { values[$0] })
        return set.isWhole(key) ? key : nil
    }

    /// Takes the values of a condition that does nothing but compare properties of the key.
    private func add(_ condition: TypedExpression, to values: inout [Int: Value]) -> Bool {
        switch condition.node {
        case .binary(.and, let left, let right): return add(left, to: &values) && add(right, to: &values)
        case .binary(.equal, let left, let right):
            guard case .path(let path) = left.node, path == TypedExpression.Path(property: path.property),
                case .literal(let value) = right.node, left.type == right.type, values[path.property] == nil
            else { return false }
            values[path.property] = value
            return true
        default: return false
        }
    }
}

extension EntitySet {
    /// Whether a key is all of its parts in forms that columns hold in one way, of an entity that is one row.
    package func isWhole(_ key: Key) -> Bool {
        !type.hasItems && key.values.count == type.key.count
            && zip(key.values, type.key).allSatisfy { hasOneForm($0, of: type.properties[$1]) }
    }

    private func hasOneForm(_ value: Value, of property: Property) -> Bool {
        switch value {
        case .integer: property.type.integerRange != nil && property.storage == .native
        case .string: property.type == .string && property.storage == .native
        case .guid: property.type == .guid
        default: false
        }
    }
}
