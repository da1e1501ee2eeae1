// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

extension Expression.Function {
    /// How many arguments the function takes.
    var argumentCounts: ClosedRange<Int> {
        switch self {
        case .concat, .contains, .endswith, .indexof, .startswith, .matchesPattern, .hassubset, .hassubsequence,
            .geoDistance, .geoIntersects:
            2...2
        case .substring: 2...3
        case .now, .mindatetime, .maxdatetime: 0...0
        default: 1...1
        }
    }

    /// The types that an argument may have, `int64` for every integer type; never empty.
    func argumentTypes(_ place: Int) -> [PrimitiveType] {
        switch self {
        case .concat, .contains, .endswith, .indexof, .startswith, .length, .tolower, .toupper, .trim: [.string]
        case .substring: place == 0 ? [.string] : [.int64]
        case .year, .month, .day: [.dateTimeOffset, .date]
        case .hour, .minute, .second, .fractionalseconds: [.dateTimeOffset, .timeOfDay]
        case .date, .time, .totaloffsetminutes: [.dateTimeOffset]
        case .totalseconds: [.duration]
        case .ceiling, .floor, .round: [.decimal, .double, .single, .int64, .int32, .int16, .sbyte, .byte]
        case .now, .mindatetime, .maxdatetime: [.dateTimeOffset]
        case .matchesPattern: [.string]
        case .hassubset, .hassubsequence: [.string]
        case .geoDistance, .geoIntersects, .geoLength: PrimitiveType.allCases.filter(\.isSpatial)
        }
    }

    /// The type of the result, or `nil` where it is that of the argument.
    var resultType: PrimitiveType? {
        switch self {
        case .contains, .endswith, .startswith, .matchesPattern, .hassubset, .hassubsequence, .geoIntersects: .boolean
        case .concat, .substring, .tolower, .toupper, .trim: .string
        case .indexof, .length, .year, .month, .day, .hour, .minute, .second, .totaloffsetminutes: .int32
        case .fractionalseconds, .totalseconds: .decimal
        case .date: .date
        case .time: .timeOfDay
        case .now, .mindatetime, .maxdatetime: .dateTimeOffset
        case .geoDistance, .geoLength: .double
        case .ceiling, .floor, .round: nil
        }
    }
}
