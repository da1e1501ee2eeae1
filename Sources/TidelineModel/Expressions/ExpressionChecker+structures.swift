// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// Equality of complex values and of collections, member by member and item by item.
///
///     Address eq {"City":"Bern","Street":null}        Tags ne ["a","b"]        Address eq Order/Address
///
/// A member that is absent counts as null.
/// Source: OData URL Conventions 4.01, section 5.1.1.1.1.
extension ExpressionChecker {
    private enum Side {
        case group(Cursor, Int)
        case json(TypedExpression)
        case object([Expression.Member])
        case list([Expression])
    }

    /// The comparison of structured values; `nil` for one of others.
    func structuralTest(
        _ name: Expression.BinaryOperator,
        _ left: Expression,
        _ right: Expression,
        _ context: Context
    ) throws(ExpressionError) -> TypedExpression? {
        guard name.isEquality, left.canBeStructured, right.canBeStructured, let first = try side(left, context),
            let second = try side(right, context)
        else {
            return nil
        }
        let test: TypedExpression
        switch (first, second) {
        case (.group(let cursor, let place), .object(let members)),
            (.object(let members), .group(let cursor, let place)):
            test = try equals(cursor, place, members, context)
        case (.group(let one, let place), .group(let other, let otherPlace)):
            test = try equals(one, place, other, otherPlace)
        case (.group, _), (_, .group):
            throw unsupported("the comparison of a complex property with this")
        default: test = TypedExpression(node: .isSame(try json(first), try json(second)), type: .boolean)
        }
        return name == .equal ? test : TypedExpression(node: .unary(.not, test), type: .boolean)
    }

    private func side(_ expression: Expression, _ context: Context) throws(ExpressionError) -> Side? {
        switch expression {
        case .object(let members): return .object(members)
        case .list(let items): return .list(items)
        case .path(let names):
            switch try resolve(names, context) {
            case .group(let cursor, let place): return .group(cursor, place)
            case .value(let value):
                switch value.structure {
                case .complex?, .collection?: return .json(value)
                case .dynamic?, nil: return nil
                }
            case .entity, .entities: return nil
            }
        case .general(let segments):
            guard let value = try? addressed(segments, context) else { return nil }
            switch value.structure {
            case .complex?, .collection?: return .json(value)
            case .dynamic?, nil: return nil
            }
        default: return nil
        }
    }

    // MARK: - JSON

    private func json(_ side: Side) throws(ExpressionError) -> TypedExpression {
        switch side {
        case .json(let value): return value
        case .object(let members): return .literal(.string(try object(members).text), .string)
        case .list(let items): return .literal(.string(try list(items).text), .string)
        case .group: throw unsupported("the comparison of a complex property with this")
        }
    }

    private func constant(_ expression: Expression) throws(ExpressionError) -> JSONValue {
        switch expression {
        case .literal(let value): return JSONValue(value)
        case .unary(.negate, .literal(.integer(let number))) where number != .min: return JSONValue(.integer(-number))
        case .enumeration(_, let members): return .string(members)
        case .object(let members): return try object(members)
        case .list(let items): return try list(items)
        default: throw unsupported("anything but constants inside JSON")
        }
    }

    private func object(_ members: [Expression.Member]) throws(ExpressionError) -> JSONValue {
        var list: [JSONValue.Member] = []
        for member in members { list.append(.init(name: member.name, value: try constant(member.value))) }
        return .object(list)
    }

    private func list(_ items: [Expression]) throws(ExpressionError) -> JSONValue {
        var list: [JSONValue] = []
        for item in items { list.append(try constant(item)) }
        return .array(list)
    }

    // MARK: - Groups of columns

    private func equals(
        _ cursor: Cursor,
        _ container: Int,
        _ members: [Expression.Member],
        _ context: Context
    ) throws(ExpressionError) -> TypedExpression {
        let type = cursor.set.type
        var result = TypedExpression.literal(.boolean(true), .boolean)
        var open = Set(members.map(\.name))
        func value(_ name: String) -> Expression {
            open.remove(name)
            return members.last { $0.name == name }?.value ?? .literal(.null)
        }
        for (place, property) in type.properties.enumerated() where property.container == container {
            let expected = value(property.names.wire)
            let path = self.path(place, cursor)
            if property.structure == nil {
                result = result.joined(try binary(.equal, path, check(expected, context)))
            } else if expected == .literal(.null) {
                result = result.joined(try isEmpty(path))
            } else {
                let constant = TypedExpression.literal(.string(try self.constant(expected).text), .string)
                result = result.joined(TypedExpression(node: .isSame(path, constant), type: .boolean))
            }
        }
        for (place, inner) in type.complexProperties.enumerated() where inner.parent == container {
            switch value(inner.names.wire) {
            case .object(let members): result = result.joined(try equals(cursor, place, members, context))
            default: result = result.joined(groupIsNull(cursor, place))
            }
        }
        if let unknown = open.min() {
            throw ExpressionError(
                .unknownProperty,
                message: "'\(type.complexProperties[container].names.wire)' has no property '\(unknown)'.",
                target: unknown
            )
        }
        return result
    }

    /// Null, for a collection: without items.
    private func isEmpty(_ value: TypedExpression) throws(ExpressionError) -> TypedExpression {
        guard case .collection? = value.structure else { return try binary(.equal, value, .literal(.null, nil)) }
        return TypedExpression(node: .isSame(value, .literal(.string("[]"), .string)), type: .boolean)
    }

    private func equals(
        _ cursor: Cursor,
        _ container: Int,
        _ other: Cursor,
        _ otherContainer: Int
    ) throws(ExpressionError) -> TypedExpression {
        let (type, otherType) = (cursor.set.type, other.set.type)
        guard type.complexProperties[container].type == otherType.complexProperties[otherContainer].type else {
            throw ExpressionError(.wrongType, message: "Complex values of two types cannot be compared.", target: "eq")
        }
        var result = TypedExpression.literal(.boolean(true), .boolean)
        for (place, property) in type.properties.enumerated() where property.container == container {
            guard
                let twin = otherType.properties.firstIndex(where: {
                    $0.container == otherContainer && $0.names.wire == property.names.wire
                })
            else { continue }
            let (first, second) = (path(place, cursor), path(twin, other))
            let test =
                property.structure == nil
                ? try binary(.equal, first, second) : TypedExpression(node: .isSame(first, second), type: .boolean)
            result = result.joined(test)
        }
        for (place, inner) in type.complexProperties.enumerated() where inner.parent == container {
            guard
                let twin = otherType.complexProperties.firstIndex(where: {
                    $0.parent == otherContainer && $0.names.wire == inner.names.wire
                })
            else { continue }
            result = result.joined(try equals(cursor, place, other, twin))
        }
        return result
    }

    private func path(_ place: Int, _ cursor: Cursor) -> TypedExpression {
        let property = cursor.set.type.properties[place]
        return cursor.guarded(
            TypedExpression(
                node: .path(cursor.path(to: place)),
                type: property.type,
                enumeration: property.enumeration,
                structure: property.structure
            )
        )
    }
}

extension Expression {
    /// Whether this can be a structured value by its form: before a path is followed for nothing.
    fileprivate var canBeStructured: Bool {
        switch self {
        case .object, .list, .path, .general: true
        default: false
        }
    }
}
