// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

extension JSONReader {
    /// The next value as one of a primitive type, or `nil` when it is something else.
    ///
    /// Numbers of 64-bit integers and decimals may be strings, as under IEEE754Compatible.
    mutating func value(_ type: PrimitiveType) throws(ODataError) -> Value? {
        switch try kind() {
        case .null:
            try null()
            return .null
        case .boolean:
            let value = try boolean()
            return type == .boolean ? .boolean(value) : nil
        case .number:
            let (range, isInteger) = try number()
            switch type {
            case .byte, .sbyte, .int16, .int32, .int64:
                guard isInteger else { return nil }
            case .double, .single, .decimal: break
            default: return nil
            }
            guard range.count <= 1000 else { return nil }
            return unsafe Value(utf8: raw(range.lowerBound, range.upperBound), as: type)
        case .string:
            let text = try text()
            switch type {
            case .boolean, .byte, .sbyte, .int16, .int32: return nil
            case .string: return .string(try string(text))
            case .double, .single:
                // As strings only what has no digits: INF, -INF, NaN.
                switch try string(text) {
                case "INF": return .double(.infinity)
                case "-INF": return .double(-.infinity)
                case "NaN": return .double(.nan)
                default: return nil
                }
            default:
                guard !text.hasEscapes else { return Value(text: try string(text), as: type) }
                return unsafe Value(utf8: raw(text.start, text.end), as: type)
            }
        case .object, .array:
            try skipValue()
            return nil
        }
    }

    /// The next value as a count: a number, or its digits in a string.
    mutating func countValue() throws(ODataError) -> Int {
        guard case .integer(let count)? = try value(.int64), count >= 0 else {
            throw ODataError(.invalidBody, "A count is not a number.", at: offset)
        }
        return Int(count)
    }
}
