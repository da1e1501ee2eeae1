// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// How a column is read and written: the property's type and storage form as one choice.
enum ColumnForm: Sendable {
    case boolean, booleanText
    case integer(ClosedRange<Int64>)
    case double, single
    case decimalReal(scale: Int?), decimalText, decimalScaled(scale: Int)
    case string, binary
    case guidText(upperCase: Bool), guidBlob
    case dateText, dateUnixSeconds
    case timeText
    case momentText, momentSQLText, momentUnixSeconds, momentUnixMilliseconds, momentJulianDay
    case durationText
    /// The names of an enumeration's members; without a type none is known.
    case members(MemberNames)

    /// - Parameter enumeration: the property's enumeration type, which a form of names needs.
    init(_ property: Property, _ enumeration: EnumerationType? = nil) {
        guard property.storage != .memberName else {
            self = .members(MemberNames(enumeration))
            return
        }
        switch property.type {
        case .boolean: self = property.storage == .booleanText ? .booleanText : .boolean
        case .byte, .sbyte, .int16, .int32, .int64: self = .integer(property.type.integerRange ?? Int64.min...Int64.max)
        case .double: self = .double
        case .single: self = .single
        case .decimal:
            self =
                switch property.storage {
                case .decimalText: .decimalText
                case .decimalScaled: .decimalScaled(scale: property.scale ?? 0)
                default: .decimalReal(scale: property.scale)
                }
        case .string: self = .string
        case .binary: self = .binary
        case .guid:
            self = property.storage == .guidBlob ? .guidBlob : .guidText(upperCase: property.storage == .guidUpper)
        case .date: self = property.storage == .unixSeconds ? .dateUnixSeconds : .dateText
        case .timeOfDay: self = .timeText
        case .dateTimeOffset:
            self =
                switch property.storage {
                case .sqlText: .momentSQLText
                case .unixSeconds: .momentUnixSeconds
                case .unixMilliseconds: .momentUnixMilliseconds
                case .julianDay: .momentJulianDay
                default: .momentText
                }
        case .duration: self = .durationText
        default: self = .string
        }
    }
}
