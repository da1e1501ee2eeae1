// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

extension SQLCompiler {
    /// Compiles a condition over the table that paths start from.
    mutating func condition(_ expression: TypedExpression) -> SQLCondition { condition(expression, in: root) }

    /// Compiles a condition.
    ///
    /// - Parameters:
    ///   - negated: whether its opposite is wanted; `not` is pushed down to the comparisons.
    ///   - exact: whether null must come out as the standard says. In a filter it need not: null selects no row, as
    ///     false does, so a comparison stays plain.
    mutating func condition(
        _ expression: TypedExpression,
        negated: Bool = false,
        exact: Bool = false,
        in scope: Scope
    ) -> SQLCondition {
        switch expression.node {
        case .literal(.boolean(let value)): return .constant(value != negated)
        case .literal, .me: return meCondition(expression, negated: negated)
        case .unary(.not, let operand): return condition(operand, negated: !negated, exact: exact, in: scope)
        case .binary(let name, let left, let right):
            switch name {
            case .and, .or:
                return junction(
                    (name == .and) != negated ? .and : .or,
                    left,
                    right,
                    negated: negated,
                    exact: exact,
                    in: scope
                )
            case .has:
                return truth(has(left, right, in: scope), negated: negated)
            case .equal, .notEqual, .lessThan, .lessOrEqual, .greaterThan, .greaterOrEqual, .add, .sub, .mul, .div,
                .divby, .mod:
                return comparison(name, left, right, negated: negated, exact: exact, in: scope)
            }
        case .isIn(let item, let list):
            return membership(item, list, negated: negated, exact: exact, in: scope)
        case .isInUser(let item, let attribute):
            let values = user.values(attribute, as: item.type)
            let list = values.map { TypedExpression(node: .literal($0), type: item.type) }
            return membership(item, list, negated: negated, exact: exact, in: scope)
        case .call(let function, let arguments):
            return truth(textTest(function, arguments, in: scope), negated: negated)
        case .lambda(let quantifier, let items, let body):
            return lambda(quantifier, items, body, negated: negated, in: scope)
        case .found(let words, let texts): return found(words, texts, negated: negated, in: scope)
        case .isSame(let left, let right):
            return truth(SQLCondition(isSame(left, right, in: scope), isAtom: true), negated: negated)
        case .isResult(let call, let key):
            return settled(isResult(call, key, in: scope), negated: negated, exact: exact)
        case .invoke, .path, .unary, .promote, .cast, .conditional, .count, .item, .member, .element, .list, .fold:
            let operand = operand(expression, in: scope)
            if case .stored(let column) = operand.form, column.property.storage == .booleanText {
                return SQLCondition(
                    "\(operand.sql) = \(raw: negated ? "'false'" : "'true'")",
                    isNullable: operand.isNullable
                )
            }
            return SQLCondition(
                "\(operand.sql) = \(dialect.truth(!negated))",
                isNullable: operand.isNullable
            )
        }
    }

    private func meCondition(_ expression: TypedExpression, negated: Bool) -> SQLCondition {
        guard case .me(let attribute) = expression.node, case .boolean(let value) = user.value(attribute, as: .boolean)
        else { return .unknown }
        return .constant(value != negated)
    }

    private mutating func junction(
        _ word: SQLCondition.Junction,
        _ left: TypedExpression,
        _ right: TypedExpression,
        negated: Bool,
        exact: Bool,
        in scope: Scope
    ) -> SQLCondition {
        var result = condition(left, negated: negated, exact: exact, in: scope)
        result.join(word, condition(right, negated: negated, exact: exact, in: scope))
        return result
    }

    /// A condition that is null when an argument is.
    private func truth(_ condition: SQLCondition, negated: Bool) -> SQLCondition {
        negated ? SQLCondition("NOT \(condition.grouped)", isNullable: condition.isNullable) : condition
    }

    /// A comparison is never null by the standard, though its plain SQL is when an operand is.
    func settled(_ plain: consuming SQLCondition, negated: Bool, exact: Bool) -> SQLCondition {
        guard plain.isNullable else {
            return negated ? SQLCondition("NOT \(plain.grouped)") : plain
        }
        if negated { return SQLCondition("\(plain.grouped) IS NOT TRUE") }
        return exact ? SQLCondition("\(plain.grouped) IS TRUE") : plain
    }

    // MARK: - Functions with a Boolean result

    private mutating func textTest(
        _ function: Expression.Function,
        _ arguments: [TypedExpression],
        in scope: Scope
    ) -> SQLCondition {
        guard arguments.count == 2 else { return .unknown }
        switch function {
        case .hassubset, .hassubsequence: return arrayTest(function, arguments, in: scope)
        case .geoIntersects:
            let shapes = shapes(arguments, in: scope)
            return SQLCondition(dialect.call(.geoIntersects, shapes), isNullable: true, isAtom: true)
        default: break
        }
        let text = computed(arguments[0], in: scope)
        let part = computed(arguments[1], in: scope)
        let isNullable = text.isNullable || part.isNullable
        switch function {
        case .startswith:
            if case .literal(.string(let prefix)) = arguments[1].node {
                return prefixTest(text, prefix)
            }
            return SQLCondition("\(dialect.place(of: part.sql, in: text.sql)) = 1", isNullable: isNullable)
        case .matchesPattern:
            return matches(text, arguments[1], isNullable: isNullable)
        case .endswith:
            return SQLCondition(dialect.call(.endswith, [text.sql, part.sql]), isNullable: isNullable, isAtom: true)
        default:
            return SQLCondition("\(dialect.place(of: part.sql, in: text.sql)) > 0", isNullable: isNullable)
        }
    }

    /// Texts with a prefix are a range of the byte order, which an index serves.
    private func prefixTest(_ text: SQLOperand, _ prefix: String) -> SQLCondition {
        let column = dialect.binaryText(text.sql)
        let lower = SQLFragment(bind: .text(prefix))
        guard let next = SQLCompiler.afterPrefix(prefix) else {
            return SQLCondition("\(column) >= \(lower)", isNullable: text.isNullable)
        }
        return SQLCondition(
            "(\(column) >= \(lower) AND \(column) < \(bind: .text(next)))",
            isNullable: text.isNullable,
            isAtom: true
        )
    }

    /// The least text after all texts with a prefix, or `nil` when there is none.
    static func afterPrefix(_ prefix: String) -> String? {
        var bytes = Array(prefix.utf8)
        if let last = bytes.last, last < 0x7F {
            bytes[bytes.count - 1] = last + 1
            return String(decoding: bytes, as: UTF8.self)
        }
        var scalars = prefix.unicodeScalars
        while let last = scalars.popLast() {
            // UTF-8 orders as the scalars do; the surrogates between are none.
            let next = last.value == 0xD7FF ? 0xE000 : last.value + 1
            guard let scalar = Unicode.Scalar(next) else { continue }
            scalars.append(scalar)
            return String(scalars)
        }
        return nil
    }
}
