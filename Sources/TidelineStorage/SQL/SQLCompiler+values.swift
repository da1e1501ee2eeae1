// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Casts, branches, enumerations, patterns and shapes.
extension SQLCompiler {
    /// A computed value as one of another type.
    func cast(_ operand: SQLOperand, to type: PrimitiveType) -> SQLOperand {
        SQLOperand(dialect.cast(operand.sql, from: operand.type, to: type), type: type, isNullable: true)
    }

    mutating func conditional(
        _ branches: [TypedExpression.Branch],
        type: PrimitiveType,
        in scope: Scope
    ) -> SQLOperand {
        var sql: SQLFragment = "(CASE"
        for branch in branches {
            let test = condition(branch.condition, in: scope).sql
            let value =
                branch.value.isNullLiteral ? constant(.null, type: type) : computed(branch.value, in: scope)
            sql.append(" WHEN \(test) THEN \(value.sql)")
        }
        sql.append(literal: " END)")
        return SQLOperand(sql, type: type, isNullable: true)
    }

    // MARK: - Enumerations

    /// Where a constant stands among the values of a column.
    func bound(_ constant: Value, of property: Property, isEquality: Bool) -> StoredBound {
        guard property.storage == .memberName else { return dialect.bound(constant, of: property) }
        guard isEquality, let type = property.enumeration.flatMap({ model[enumeration: $0] }), !type.isFlags,
            case .integer(let number) = constant, let member = type.members.first(where: { $0.value == number }),
            type.members.filter({ $0.value == number }).count == 1
        else { return .computed }
        return .exact(.text(member.name))
    }

    /// The number of a member that a column names.
    func memberNumber(_ column: SQLFragment, _ property: Property) -> SQLFragment {
        let members = property.enumeration.flatMap { model[enumeration: $0] }?.members ?? []
        let names = members.map { "\($0.name)=\($0.value)" }.joined(separator: ";")
        return dialect.call(.member, [dialect.binaryText(column), SQLFragment(bind: .text(names))])
    }

    /// All flags of the right side are set on the left.
    mutating func has(_ left: TypedExpression, _ right: TypedExpression, in scope: Scope) -> SQLCondition {
        let (value, flags) = (computed(left, in: scope), computed(right, in: scope))
        return SQLCondition(
            "(\(value.sql) & \(flags.sql)) = \(flags.sql)",
            isNullable: value.isNullable || flags.isNullable
        )
    }

    // MARK: - Patterns and shapes

    func matches(_ text: SQLOperand, _ pattern: TypedExpression, isNullable: Bool) -> SQLCondition {
        guard case .literal(.string(let source)) = pattern.node else { return .unknown }
        return SQLCondition(dialect.matches(text.sql, source), isNullable: isNullable, isAtom: true)
    }

    /// The texts of the shapes, and whether they lie on a plane.
    mutating func shapes(_ arguments: [TypedExpression], in scope: Scope) -> [SQLFragment] {
        var shapes: [SQLFragment] = []
        for argument in arguments { shapes.append(computed(argument, in: scope).sql) }
        return shapes + [SQLFragment(raw: arguments.contains { $0.type?.isGeometry == true } ? "1" : "0")]
    }
}

extension Expression.Function {
    /// Whether the result can be null though no argument is.
    var hasNulls: Bool { self == .geoDistance || self == .geoLength }
}
