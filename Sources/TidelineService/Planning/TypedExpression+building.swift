// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

extension TypedExpression {
    static let falsehood = TypedExpression(node: .literal(.boolean(false)), type: .boolean)

    func and(_ other: TypedExpression?) -> TypedExpression {
        guard let other else { return self }
        return TypedExpression(node: .binary(.and, self, other), type: .boolean)
    }

    func or(_ other: TypedExpression) -> TypedExpression {
        TypedExpression(node: .binary(.or, self, other), type: .boolean)
    }

    var negated: TypedExpression { TypedExpression(node: .unary(.not, self), type: .boolean) }

    /// Both conditions, where there are two.
    static func all(_ left: TypedExpression?, _ right: TypedExpression?) -> TypedExpression? {
        left.map { $0.and(right) } ?? right
    }

    static func property(_ place: Int, of type: EntityType, through navigations: [Int] = []) -> TypedExpression {
        TypedExpression(
            node: .path(Path(navigations: navigations, property: place)),
            type: type.properties[place].type
        )
    }

    static func literal(_ value: Value, _ type: PrimitiveType) -> TypedExpression {
        TypedExpression(node: .literal(value), type: type)
    }

    /// `property eq value`, the value being of the property's type.
    static func equal(_ place: Int, of type: EntityType, to value: Value) -> TypedExpression {
        let left = property(place, of: type)
        let right = literal(value, type.properties[place].type)
        return TypedExpression(node: .binary(.equal, left, right), type: .boolean)
    }

    /// The properties at these places have these values.
    static func equal(_ places: [Int], of type: EntityType, to values: [Value]) -> TypedExpression {
        zip(places, values).dropFirst().reduce(
            places.isEmpty ? .falsehood : equal(places[0], of: type, to: values[0])
        ) { $0.and(equal($1.0, of: type, to: $1.1)) }
    }

    /// The key is one of these.
    static func isKey(_ keys: some Collection<Key>, of type: EntityType) -> TypedExpression {
        if type.key.count == 1 {
            let key = type.key[0]
            let items = keys.map { literal($0.values[0], type.properties[key].type) }
            return TypedExpression(node: .isIn(property(key, of: type), items), type: .boolean)
        }
        // A balanced tree: a chain of a thousand would be as deep.
        return any(keys.map { equal(type.key, of: type, to: $0.values) }[...])
    }

    /// One of these conditions holds.
    static func any(_ conditions: ArraySlice<TypedExpression>) -> TypedExpression {
        guard let first = conditions.first else { return .falsehood }
        if conditions.count == 1 { return first }
        let middle = conditions.startIndex + conditions.count / 2
        return any(conditions[..<middle]).or(any(conditions[middle...]))
    }
}
