// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

extension ExpressionChecker {
    // MARK: - Null

    /// `Nav eq null`, and the same of a complex property; `nil` for other comparisons.
    func nullTest(
        _ name: Expression.BinaryOperator,
        _ left: Expression,
        _ right: Expression,
        _ context: Context
    ) throws(ExpressionError) -> TypedExpression? {
        guard name.isEquality else { return nil }
        let names: [String]
        switch (left, right) {
        case (.general(let segments), .literal(.null)), (.literal(.null), .general(let segments)):
            return try presenceTest(name, segments, context)
        case (.path(let path), .literal(.null)), (.literal(.null), .path(let path)): names = path
        default: return nil
        }
        let isNull: TypedExpression
        switch try resolve(names, context) {
        case .value: return nil
        case .entities: throw invalidPath(names, "it leads to a collection, which is never null")
        case .entity(let cursor):
            let key = cursor.set.type.key[0]
            let property = cursor.set.type.properties[key]
            let path = TypedExpression(node: .path(cursor.path(to: key)), type: property.type)
            isNull = equalsNull(cursor.guarded(path))
        case .group(let cursor, let container): isNull = groupIsNull(cursor, container)
        }
        return name == .equal ? isNull : TypedExpression(node: .unary(.not, isNull), type: .boolean)
    }

    /// `Nav(1) eq null`: whether there is an entity with a key; `nil` for a path that ends at anything else.
    private func presenceTest(
        _ name: Expression.BinaryOperator,
        _ segments: [PathSegment],
        _ context: Context
    ) throws(ExpressionError) -> TypedExpression? {
        switch segments.last {
        case .key?: break
        case .name?, .cast?:
            // A single-valued navigation property, or a singleton, after something else than names.
            guard (try? addressed(segments, context)) == nil else { return nil }
        default: return nil
        }
        guard let key = try? addressed(segments + [Self.presence], context), key.node != .literal(.null) else {
            return nil
        }
        let isNull = equalsNull(key)
        return name == .equal ? isNull : TypedExpression(node: .unary(.not, isNull), type: .boolean)
    }

    private func equalsNull(_ value: TypedExpression) -> TypedExpression {
        TypedExpression(node: .binary(.equal, value, .literal(.null, nil)), type: .boolean)
    }

    /// A complex property over columns is null when it may be and all its columns are.
    func groupIsNull(_ cursor: Cursor, _ container: Int) -> TypedExpression {
        let type = cursor.set.type
        guard type.complexProperties[container].isNullable else { return .literal(.boolean(false), .boolean) }
        func isInside(_ place: Int?) -> Bool {
            var place = place
            while let current = place {
                if current == container { return true }
                place = type.complexProperties[current].parent
            }
            return false
        }
        var result: TypedExpression?
        for (place, property) in type.properties.enumerated() where isInside(property.container) {
            let path = TypedExpression(node: .path(cursor.path(to: place)), type: property.type)
            let test = equalsNull(cursor.guarded(path))
            result = result?.joined(test) ?? test
        }
        return result ?? .literal(.boolean(false), .boolean)
    }

    // MARK: - Enumerations

    private func enumerationType(_ name: String, _ target: String) throws(ExpressionError) -> EnumerationType {
        guard let type = model[enumeration: name] else {
            throw ExpressionError(.unknownProperty, message: "There is no enumeration \(name).", target: target)
        }
        return type
    }

    /// `Ns.Color'Red,Blue'`.
    func enumeration(_ qualified: String, _ members: String) throws(ExpressionError) -> TypedExpression {
        guard let name = local(qualified) else {
            throw ExpressionError(
                .unknownProperty,
                message: "There is no enumeration \(qualified).",
                target: qualified
            )
        }
        let type = try enumerationType(name, qualified)
        guard let value = type.value(of: members) else {
            throw ExpressionError(
                .invalidLiteral,
                message: "'\(members)' names no member of \(qualified).",
                target: qualified
            )
        }
        return TypedExpression(node: .literal(.integer(value)), type: type.underlyingType, enumeration: name)
    }

    /// A constant beside a value of an enumeration: text names members, and of JSON a member is its name.
    func member(
        _ expression: TypedExpression,
        beside other: TypedExpression,
        _ target: String
    ) throws(ExpressionError) -> TypedExpression {
        guard let name = other.enumeration, let constant = expression.constant, constant != .null,
            expression.enumeration ?? name == name
        else { return expression }
        let type = try enumerationType(name, target)
        var value: Int64?
        if case .string(let text) = constant { value = type.value(of: text) }
        if case .integer(let number) = constant { value = number }
        guard let value else {
            throw ExpressionError(.invalidLiteral, message: "A member of \(name) is needed here.", target: target)
        }
        if other.type == .string {
            return TypedExpression(node: .literal(.string(type.text(of: value))), type: .string, enumeration: name)
        }
        return TypedExpression(node: .literal(.integer(value)), type: type.underlyingType, enumeration: name)
    }

    /// `Style has Ns.Pattern'Yellow'`: all flags of the right side are set on the left.
    func has(_ left: TypedExpression, _ right: TypedExpression) throws(ExpressionError) -> TypedExpression {
        if left.isNull || right.isNull { return .literal(.null, .boolean) }
        let right = try member(right, beside: left, "has")
        guard let name = left.enumeration, left.type?.integerRange != nil, right.enumeration == name else {
            guard left.enumeration == nil || left.type != .string else {
                throw ExpressionError(.unsupported, message: "'has' does not look into JSON.", target: "has")
            }
            throw ExpressionError(
                .wrongType,
                message: "'has' needs a value of an enumeration and members of it.",
                target: "has"
            )
        }
        return TypedExpression(node: .binary(.has, left, right), type: .boolean)
    }

    // MARK: - Types

    /// `cast(value,Edm.Type)`.
    func cast(
        _ inner: Expression?,
        _ name: String,
        _ context: Context
    ) throws(ExpressionError) -> TypedExpression {
        guard let inner, let type = PrimitiveType(rawValue: name), !type.isSpatial else {
            throw ExpressionError(
                .unsupported,
                message: "'cast' to \(name) is supported as a segment of a path only.",
                target: "cast"
            )
        }
        let value = try check(inner, context)
        if value.isNull { return .literal(.null, type) }
        guard value.structure == nil, value.type?.isSpatial != true else {
            throw ExpressionError(.unsupported, message: "Such a value cannot be cast to \(name).", target: "cast")
        }
        if value.isDynamic { return cast(value, dynamicTo: type) }
        if value.isUntyped { return value.typed(type) }
        if let enumeration = value.enumeration, type == .string, value.type != .string {
            return try named(value, enumerationType(enumeration, "cast"))
        }
        if let constant = value.constant { return .literal(Casting.cast(constant, to: type), type) }
        if value.type == type, value.enumeration == nil { return value }
        return TypedExpression(node: .cast(value), type: type)
    }

    /// A member's name from its number.
    private func named(_ value: TypedExpression, _ type: EnumerationType) throws(ExpressionError) -> TypedExpression {
        guard !type.isFlags else {
            throw ExpressionError(.unsupported, message: "Flags cannot be cast to text.", target: "cast")
        }
        let branches = type.members.map { member in
            let number = TypedExpression.literal(.integer(member.value), type.underlyingType)
            return TypedExpression.Branch(
                condition: TypedExpression(node: .binary(.equal, value, number), type: .boolean),
                value: .literal(.string(member.name), .string)
            )
        }
        return TypedExpression(node: .conditional(branches), type: .string)
    }

    /// `isof(value,Type)`, `isof(Type)`: null is of no type.
    func isOf(
        _ inner: Expression?,
        _ name: String,
        _ context: Context
    ) throws(ExpressionError) -> TypedExpression {
        let names: [String]?
        switch inner {
        case nil: names = ["$this"]
        case .path(let path): names = path
        default: names = nil
        }
        if let names, case .entity(let cursor) = try resolve(names, context) {
            let type = try entityType(name, of: cursor.set, "isof")
            let key = cursor.set.type.key[0]
            let isPresent = TypedExpression(
                node: .path(cursor.path(to: key)),
                type: cursor.set.type.properties[key].type
            )
            let exists = TypedExpression(
                node: .binary(.notEqual, cursor.guarded(isPresent), .literal(.null, nil)),
                type: .boolean
            )
            guard let test = typeTest(type, of: cursor.set), case .isIn(let item, let list) = test.node,
                case .path(let path) = item.node
            else { return exists }
            var discriminator = item
            discriminator.node = .path(cursor.path(to: path.property))
            return TypedExpression(node: .isIn(cursor.guarded(discriminator), list), type: .boolean)
        }
        guard let inner else { throw ExpressionError(.invalidPath, message: "'isof' needs a value.", target: "isof") }
        let value = try check(inner, context)
        if value.isNull { return .literal(.boolean(false), .boolean) }
        let isType: Bool
        if let enumeration = value.enumeration {
            isType = local(name) == enumeration
        } else {
            guard let type = PrimitiveType(rawValue: name), let actual = value.type, value.structure == nil else {
                throw ExpressionError(.unsupported, message: "'isof' does not know \(name) here.", target: "isof")
            }
            isType =
                actual == type || type == .geography && actual.isGeography || type == .geometry && actual.isGeometry
        }
        guard isType else { return .literal(.boolean(false), .boolean) }
        return TypedExpression(node: .binary(.notEqual, value, .literal(.null, nil)), type: .boolean)
    }

    // MARK: - Branches

    /// `case(condition:value,…)`.
    func conditional(
        _ branches: [Expression.Branch],
        _ context: Context
    ) throws(ExpressionError) -> TypedExpression {
        var conditions: [TypedExpression] = []
        var values: [TypedExpression] = []
        for branch in branches {
            conditions.append(try condition(check(branch.condition, context), of: "case"))
            values.append(try check(branch.value, context))
        }
        var result: TypedExpression?
        for value in values where !value.isNull {
            guard value.structure == nil, value.type?.isSpatial != true else {
                throw ExpressionError(.unsupported, message: "Such values cannot come from 'case'.", target: "case")
            }
            if let known = result {
                result = try comparable(known, value, "case", isEquality: true).0
            } else {
                result = value
            }
        }
        if let result { _ = try settled(result) }
        guard let result, let type = result.type else { return .literal(.null, nil) }
        var typed: [TypedExpression.Branch] = []
        for (condition, value) in zip(conditions, values) {
            let value = value.isNull ? value : try comparable(result, value, "case", isEquality: true).1
            // Integers of all widths are one family.
            let isSame =
                value.type == type || value.isNull || (value.type?.integerRange != nil && type.integerRange != nil)
            typed.append(.init(condition: condition, value: isSame ? value : value.promoted(to: type)))
        }
        let common: PrimitiveType =
            type.integerRange != nil && Set(typed.compactMap(\.value.type)).count > 1 ? .int64 : type
        return TypedExpression(node: .conditional(typed), type: common, enumeration: result.enumeration)
    }
}
