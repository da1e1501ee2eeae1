// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// How the values of many items become one; null is passed over, and of no value all but the count are null.
public enum Folding: Hashable, Sendable {
    case sum, min, max, average, countDistinct
    /// The value of the only item.
    case only
    /// A JSON array of the values, which are a key: never null.
    case keys

    /// The value of some values that are not null, in a type.
    package func value(of values: [Value], as type: PrimitiveType?) -> Value {
        switch self {
        case .only: return values.first ?? .null
        case .keys: return .string(JSONValue.array(values.map(JSONValue.init)).text)
        case .countDistinct: return .integer(Int64(Set(values).count))
        case .min: return values.min { (Value.compare($0, $1) ?? 0) < 0 } ?? .null
        case .max: return values.max { (Value.compare($0, $1) ?? 0) < 0 } ?? .null
        case .sum: return Self.sum(values, type ?? .decimal)
        case .average:
            guard !values.isEmpty else { return .null }
            if type == .double {
                guard case .double(let sum) = Self.sum(values, .double) else { return .null }
                return .double(sum / Double(values.count))
            }
            guard case .decimal(let sum) = Self.sum(values, .decimal) else { return .null }
            return (sum / EdmDecimal(coefficient: Int128(values.count))).map(Value.decimal) ?? .null
        }
    }

    private static func sum(_ values: [Value], _ type: PrimitiveType) -> Value {
        guard !values.isEmpty else { return .null }
        if type == .double {
            return .double(
                values.reduce(0) { sum, value in if case .double(let number) = value { sum + number } else { sum } }
            )
        }
        var total: EdmDecimal? = EdmDecimal(coefficient: 0)
        for value in values {
            var number: EdmDecimal?
            switch value {
            case .integer(let integer): number = EdmDecimal(coefficient: Int128(integer))
            case .decimal(let decimal): number = decimal
            case .duration(let duration): number = duration.nanoseconds.map { EdmDecimal(coefficient: Int128($0)) }
            default: break
            }
            total = total.flatMap { sum in number.flatMap { sum + $0 } }
        }
        guard let total else { return .null }
        if type == .decimal { return .decimal(total) }
        guard let whole = total.coefficient(atScale: 0).flatMap({ Int64(exactly: $0) }) else { return .null }
        return type == .duration ? .duration(.nanoseconds(whole)) : .integer(whole)
    }

    /// What a method of `aggregate` makes of values of an expression, and the type of the result.
    ///
    /// Source: OData Extension for Data Aggregation 4.0, section 3.2.1.5.
    package static func of(
        _ method: AggregateMethod,
        over value: TypedExpression
    ) throws(ExpressionError) -> (folding: Folding, type: PrimitiveType) {
        let type = value.type ?? .int64
        let isInteger = type.integerRange != nil && value.enumeration == nil
        let wrong = ExpressionError(.wrongType, message: "Such values cannot be aggregated.", target: "aggregate")
        guard value.structure == nil, !type.isSpatial else { throw wrong }
        switch method {
        case .custom(let name):
            throw ExpressionError(
                .unsupported,
                message: "The aggregation method \(name) is not supported.",
                target: "aggregate"
            )
        case .countDistinct: return (.countDistinct, .int64)
        case .sum:
            guard type.isNumeric || type == .duration, value.enumeration == nil else { throw wrong }
            return (.sum, isInteger ? .int64 : type == .single ? .double : type)
        case .average:
            guard type.isNumeric, value.enumeration == nil else { throw wrong }
            return (.average, isInteger || type == .decimal ? .decimal : .double)
        case .min, .max:
            guard type != .boolean, type != .binary, type != .guid, value.enumeration == nil else { throw wrong }
            return (method == .min ? .min : .max, type)
        }
    }
}
