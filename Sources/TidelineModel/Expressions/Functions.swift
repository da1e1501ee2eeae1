// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// The canonical functions of expressions in memory.
enum Functions {
    /// Calls a function; null for a null argument.
    static func call(_ function: Expression.Function, _ arguments: [Value], now: DateTimeOffset) -> Value {
        switch function {
        case .now: return .dateTimeOffset(now)
        case .mindatetime: return .dateTimeOffset(.earliest)
        case .maxdatetime: return .dateTimeOffset(.latest)
        case .hassubset, .hassubsequence: return ofArrays(function, arguments)
        case .geoDistance, .geoIntersects, .geoLength: return ofShapes(function, arguments)
        default: break
        }
        switch arguments.first {
        case .string(let text): return ofText(function, text, arguments)
        case .dateTimeOffset(let moment): return ofMoment(function, moment)
        case .date(let date): return ofDate(function, date)
        case .timeOfDay(let time): return ofTime(function, time)
        case .duration(let duration):
            return duration.nanoseconds.map { .decimal(EdmDecimal(coefficient: Int128($0), scale: 9)) } ?? .null
        case .decimal(let number):
            let rule: FloatingPointRoundingRule =
                function == .floor ? .down : function == .ceiling ? .up : .toNearestOrAwayFromZero
            return .decimal(number.rounded(toPlaces: 0, rule))
        case .double(let number): return .double(rounded(number, function))
        case .integer(let number): return .integer(number)
        default: return .null
        }
    }

    private static func rounded(_ number: Double, _ function: Expression.Function) -> Double {
        switch function {
        case .floor: number.rounded(.down)
        case .ceiling: number.rounded(.up)
        default: number.rounded(.toNearestOrAwayFromZero)
        }
    }

    private static func ofText(_ function: Expression.Function, _ text: String, _ arguments: [Value]) -> Value {
        switch function {
        case .length: return .integer(Int64(TextFunctions.length(text)))
        case .tolower: return .string(TextFunctions.lower(text))
        case .toupper: return .string(TextFunctions.upper(text))
        case .trim: return .string(TextFunctions.trim(text))
        case .substring:
            guard arguments.count > 1, case .integer(let start) = arguments[1] else { return .null }
            guard arguments.count > 2 else { return .string(TextFunctions.substring(text, from: start, count: nil)) }
            guard case .integer(let count) = arguments[2] else { return .null }
            return .string(TextFunctions.substring(text, from: start, count: count))
        default: break
        }
        guard arguments.count > 1, case .string(let other) = arguments[1] else { return .null }
        switch function {
        case .concat: return .string(text + other)
        case .contains: return .boolean(TextFunctions.index(of: other, in: text) >= 0)
        case .startswith: return .boolean(TextFunctions.starts(text, with: other))
        case .endswith: return .boolean(TextFunctions.ends(text, with: other))
        case .indexof: return .integer(Int64(TextFunctions.index(of: other, in: text)))
        case .matchesPattern: return Pattern.compiled(other).map { .boolean($0.matches(text)) } ?? .null
        default: return .null
        }
    }

    private static func ofMoment(_ function: Expression.Function, _ moment: DateTimeOffset) -> Value {
        switch function {
        case .year, .month, .day: ofDate(function, moment.date)
        case .date: .date(moment.date)
        case .time: .timeOfDay(moment.time)
        case .totaloffsetminutes: .integer(0)
        default: ofTime(function, moment.time)
        }
    }

    private static func ofDate(_ function: Expression.Function, _ date: CalendarDate) -> Value {
        let (year, month, day) = date.components
        return .integer(Int64(function == .year ? year : function == .month ? month : day))
    }

    private static func ofTime(_ function: Expression.Function, _ time: TimeOfDay) -> Value {
        switch function {
        case .hour: .integer(time.nanoseconds / 3_600_000_000_000)
        case .minute: .integer(time.nanoseconds / 60_000_000_000 % 60)
        case .second: .integer(time.nanoseconds / 1_000_000_000 % 60)
        default: .decimal(EdmDecimal(coefficient: Int128(time.nanoseconds % 1_000_000_000), scale: 9))
        }
    }

    private static func ofArrays(_ function: Expression.Function, _ arguments: [Value]) -> Value {
        guard arguments.count == 2, let first = items(arguments[0]), let second = items(arguments[1]) else {
            return .null
        }
        return .boolean(
            function == .hassubset
                ? Collections.isSubset(second, of: first) : Collections.isSubsequence(second, of: first)
        )
    }

    /// The items of JSON text; a column without a value is an empty collection.
    private static func items(_ value: Value) -> [JSONValue]? {
        switch value {
        case .null: []
        case .string(let text): JSONValue(text)?.items
        default: nil
        }
    }

    private static func ofShapes(_ function: Expression.Function, _ arguments: [Value]) -> Value {
        guard case .geography(let first)? = arguments.first else { return .null }
        if function == .geoLength { return first.length.map(Value.double) ?? .null }
        guard arguments.count == 2, case .geography(let second) = arguments[1] else { return .null }
        return function == .geoDistance
            ? Geography.distance(first, second).map(Value.double) ?? .null
            : Geography.intersects(first, second).map(Value.boolean) ?? .null
    }
}

/// What `hassubset` and `hassubsequence` say of two collections of single values.
package enum Collections {
    /// Whether the first comes from the second by leaving out items and changing their order.
    package static func isSubset(_ part: [JSONValue], of whole: [JSONValue]) -> Bool {
        var rest = whole
        for item in part {
            guard let place = rest.firstIndex(where: { isSame($0, item) }) else { return false }
            rest.remove(at: place)
        }
        return true
    }

    /// Whether the first comes from the second by leaving out items.
    package static func isSubsequence(_ part: [JSONValue], of whole: [JSONValue]) -> Bool {
        var rest = whole[...]
        for item in part {
            guard let place = rest.firstIndex(where: { isSame($0, item) }) else { return false }
            rest = rest[(place + 1)...]
        }
        return true
    }

    /// Numbers by their value, all else by content.
    private static func isSame(_ left: JSONValue, _ right: JSONValue) -> Bool {
        guard case .number(let first) = left, case .number(let second) = right else { return left == right }
        switch (EdmDecimal(first), EdmDecimal(second)) {
        case (let first?, let second?): return EdmDecimal.compare(first, second) == 0
        default: return left.value(as: .double) == right.value(as: .double)
        }
    }
}
