// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

package import TidelineModel
import TidelineStorage

/// Binds the values of one property to a parameter of a statement, in the property's storage form.
///
/// Takes what a ``RowSink`` takes, so rows go from canonical text to a column without a ``Value`` in between, and
/// values as they are.
package struct ColumnWriter: Sendable {
    private let form: ColumnForm
    private let property: Property
    private let fraction: Int?
    private let set: String?

    /// - `set`: the wire name of the set, for errors.
    /// - `fraction`: the digits of times' seconds; `nil` for the property's precision, else as few as hold the value.
    /// - `enumeration`: the property's enumeration type, where its column holds names.
    package init(_ property: Property, set: String? = nil, fraction: Int? = nil, enumeration: EnumerationType? = nil) {
        self.property = property
        self.set = set
        self.fraction = fraction ?? (property.type == .decimal ? nil : property.precision)
        form = ColumnForm(property, enumeration)
    }

    /// The error for a value that the column cannot hold.
    private func unfit(_ reason: String) -> StorageError {
        StorageError(
            .invalidValue,
            set: set,
            properties: [property.names.wire],
            message: "\(property.names.wire) cannot hold the value: \(reason)."
        )
    }

    private func wrongType() -> StorageError { unfit("it is no \(property.type.rawValue)") }

    /// Binds null.
    package func null(_ statement: PreparedStatement, _ index: Int32) { statement.bindNull(index) }

    /// Binds a Boolean.
    package func boolean(_ value: Bool, _ statement: PreparedStatement, _ index: Int32) throws {
        switch form {
        case .boolean: statement.bind(value ? 1 as Int64 : 0, index)
        case .booleanText: statement.bind(value ? "true" : "false", index)
        default: throw wrongType()
        }
    }

    /// Binds an integer; a floating-point or decimal property takes it too.
    package func integer(_ value: Int64, _ statement: PreparedStatement, _ index: Int32) throws {
        switch form {
        case .integer(let range):
            guard range.contains(value) else { throw unfit("it is out of the range of \(property.type.rawValue)") }
            statement.bind(value, index)
        case .members(let names):
            guard let name = names.text(value) else { throw unfit("no member has the value \(value)") }
            statement.bind(name, index)
        case .double, .single: statement.bind(Double(value), index)
        case .decimalReal, .decimalText, .decimalScaled:
            try decimal(coefficient: Int128(value), scale: 0, statement, index)
        default: throw wrongType()
        }
    }

    /// Binds a floating-point number; SQLite keeps no NaN, it becomes null, so NaN is refused.
    package func double(_ value: Double, _ statement: PreparedStatement, _ index: Int32) throws {
        switch form {
        case .double, .single:
            guard !value.isNaN else { throw unfit("SQLite keeps no NaN") }
            statement.bind(value, index)
        default: throw wrongType()
        }
    }

    /// Binds a string, or the canonical OData text of a decimal, GUID, date, time of day, moment or duration.
    package func text(_ utf8: UnsafeRawBufferPointer, _ statement: PreparedStatement, _ index: Int32) throws {
        var cursor = unsafe TextCursor(utf8)
        switch form {
        case .string: unsafe statement.bind(text: utf8, index)
        case .decimalReal, .decimalText, .decimalScaled:
            guard let (coefficient, scale) = cursor.decimal(), cursor.isAtEnd else { throw wrongType() }
            try decimal(coefficient: coefficient, scale: scale, statement, index)
        case .guidText, .guidBlob:
            guard let (high, low, _, _) = cursor.guid(), cursor.isAtEnd else { throw wrongType() }
            guid(high: high, low: low, statement, index)
        case .dateText, .dateUnixSeconds:
            guard let days = cursor.date(), cursor.isAtEnd else { throw wrongType() }
            date(days, statement, index)
        case .timeText:
            guard let (nanoseconds, _) = cursor.time(), cursor.isAtEnd else { throw wrongType() }
            try time(nanoseconds, statement, index)
        case .momentText, .momentSQLText, .momentUnixSeconds, .momentUnixMilliseconds, .momentJulianDay:
            guard let days = cursor.date(), cursor.skip("T") || cursor.skip("t"), let (nanoseconds, _) = cursor.time(),
                let offset = cursor.offset(isOptional: false), cursor.isAtEnd
            else { throw wrongType() }
            try moment(
                days * 86_400 + nanoseconds / 1_000_000_000 - offset,
                nanoseconds % 1_000_000_000,
                statement,
                index
            )
        case .durationText:
            guard cursor.duration() != nil else { throw wrongType() }
            unsafe statement.bind(text: utf8, index)
        default: throw wrongType()
        }
    }

    /// Binds bytes.
    package func binary(_ bytes: UnsafeRawBufferPointer, _ statement: PreparedStatement, _ index: Int32) throws {
        guard case .binary = form else { throw wrongType() }
        unsafe statement.bind(blob: bytes, index)
    }

    /// Binds a value.
    ///
    /// - Throws: ``StorageError/Code/invalidValue`` when the column cannot hold it.
    package func bind(_ value: Value, _ statement: PreparedStatement, _ index: Int32) throws {
        switch value {
        case .null: statement.bindNull(index)
        case .boolean(let value): try boolean(value, statement, index)
        case .integer(let value): try integer(value, statement, index)
        case .double(let value): try double(value, statement, index)
        case .decimal(let value):
            switch form {
            case .decimalReal, .decimalText, .decimalScaled:
                try decimal(coefficient: value.coefficient, scale: value.scale, statement, index)
            default: throw wrongType()
            }
        case .string(let value):
            guard case .string = form else { throw wrongType() }
            statement.bind(value, index)
        case .geography(let value):
            guard case .string = form else { throw wrongType() }
            statement.bind(value.text, index)
        case .binary(let value):
            guard case .binary = form else { throw wrongType() }
            statement.bind(value, index)
        case .guid(let value):
            guard property.type == .guid else { throw wrongType() }
            guid(high: value.high, low: value.low, statement, index)
        case .date(let value):
            guard property.type == .date else { throw wrongType() }
            date(Int64(value.daysSinceEpoch), statement, index)
        case .timeOfDay(let value):
            guard property.type == .timeOfDay else { throw wrongType() }
            try time(value.nanoseconds, statement, index)
        case .dateTimeOffset(let value):
            guard property.type == .dateTimeOffset else { throw wrongType() }
            try moment(value.seconds, Int64(value.nanoseconds), statement, index)
        case .duration(let value):
            guard property.type == .duration else { throw wrongType() }
            var text = CanonicalText()
            let (seconds, attoseconds) = value.components
            text.duration(seconds: seconds, nanoseconds: attoseconds / 1_000_000_000)
            unsafe text.withBytes { unsafe statement.bind(text: $0, index) }
        }
    }

    private func decimal(
        coefficient: Int128,
        scale: Int,
        _ statement: PreparedStatement,
        _ index: Int32
    ) throws {
        switch form {
        case .decimalScaled(let target):
            var coefficient = coefficient
            var scale = scale
            while scale > target {
                guard coefficient % 10 == 0 else { throw unfit("it has more than \(target) digits after the point") }
                coefficient /= 10
                scale -= 1
            }
            while scale < target {
                let (product, overflow) = coefficient.multipliedReportingOverflow(by: 10)
                guard !overflow else { throw unfit("it has too many digits") }
                coefficient = product
                scale += 1
            }
            guard let scaled = Int64(exactly: coefficient) else { throw unfit("it has too many digits") }
            statement.bind(scaled, index)
        case .decimalText:
            var text = CanonicalText()
            text.decimal(coefficient, scale: scale)
            unsafe text.withBytes { unsafe statement.bind(text: $0, index) }
        default:
            var coefficient = coefficient
            var scale = scale
            while scale > 0, coefficient % 10 == 0 {
                coefficient /= 10
                scale -= 1
            }
            if scale == 0, let whole = Int64(exactly: coefficient) { return statement.bind(whole, index) }
            guard let real = RealDecimal.double(coefficient: coefficient, scale: scale) else {
                throw unfit("its column keeps 15 digits")
            }
            statement.bind(real, index)
        }
    }

    private func guid(high: UInt64, low: UInt64, _ statement: PreparedStatement, _ index: Int32) {
        switch form {
        case .guidBlob:
            var words = (high.bigEndian, low.bigEndian)
            unsafe withUnsafeBytes(of: &words) { unsafe statement.bind(blob: $0, index) }
        case .guidText(let upperCase):
            var text = CanonicalText()
            text.guid(high: high, low: low, upperCase: upperCase)
            unsafe text.withBytes { unsafe statement.bind(text: $0, index) }
        default: statement.bindNull(index)
        }
    }

    private func date(_ days: Int64, _ statement: PreparedStatement, _ index: Int32) {
        if case .dateUnixSeconds = form { return statement.bind(days * 86_400, index) }
        var text = CanonicalText()
        text.date(daysSinceEpoch: days)
        unsafe text.withBytes { unsafe statement.bind(text: $0, index) }
    }

    private func time(_ nanoseconds: Int64, _ statement: PreparedStatement, _ index: Int32) throws {
        try checkFraction(nanoseconds)
        var text = CanonicalText()
        text.time(nanoseconds: nanoseconds, fraction: fraction)
        unsafe text.withBytes { unsafe statement.bind(text: $0, index) }
    }

    private func moment(
        _ seconds: Int64,
        _ nanoseconds: Int64,
        _ statement: PreparedStatement,
        _ index: Int32
    ) throws {
        switch form {
        case .momentUnixSeconds:
            guard nanoseconds == 0 else { throw unfit("its column keeps whole seconds") }
            statement.bind(seconds, index)
        case .momentUnixMilliseconds:
            guard nanoseconds % 1_000_000 == 0 else { throw unfit("its column keeps whole milliseconds") }
            statement.bind(seconds * 1000 + nanoseconds / 1_000_000, index)
        case .momentJulianDay:
            guard nanoseconds % 1_000_000 == 0 else { throw unfit("its column keeps whole milliseconds") }
            statement.bind((Double(seconds) + Double(nanoseconds) / 1e9) / 86_400 + 2_440_587.5, index)
        default:
            try checkFraction(nanoseconds)
            var text = CanonicalText()
            let isSQL = if case .momentSQLText = form { true } else { false }
            text.moment(seconds: seconds, nanoseconds: nanoseconds, fraction: fraction, sqlForm: isSQL)
            unsafe text.withBytes { unsafe statement.bind(text: $0, index) }
        }
    }

    /// Refuses a fraction with more digits than are written.
    private func checkFraction(_ nanoseconds: Int64) throws {
        guard let fraction, fraction < 9 else { return }
        var unit: Int64 = 1
        for _ in max(fraction, 0)..<9 { unit *= 10 }
        guard nanoseconds % unit == 0 else { throw unfit("its column keeps \(fraction) digits of a second") }
    }
}

extension CanonicalText {
    /// A duration as `[-]P[nD][T[nH][nM][n[.fff]S]]`; both parts have one sign.
    mutating func duration(seconds: Int64, nanoseconds: Int64) {
        if seconds < 0 || nanoseconds < 0 { append(UInt8(ascii: "-")) }
        append(UInt8(ascii: "P"))
        let whole = Int64(clamping: seconds.magnitude)
        let rest = Int64(clamping: nanoseconds.magnitude)
        if whole >= 86_400 {
            digits(whole / 86_400, width: 1)
            append(UInt8(ascii: "D"))
        }
        guard whole % 86_400 != 0 || rest != 0 || whole == 0 else { return }
        append(UInt8(ascii: "T"))
        if whole / 3600 % 24 > 0 {
            digits(whole / 3600 % 24, width: 1)
            append(UInt8(ascii: "H"))
        }
        if whole / 60 % 60 > 0 {
            digits(whole / 60 % 60, width: 1)
            append(UInt8(ascii: "M"))
        }
        guard whole % 60 > 0 || rest > 0 || whole == 0 else { return }
        digits(whole % 60, width: 1)
        if rest > 0 {
            append(UInt8(ascii: "."))
            var fraction = rest
            var width = 9
            while fraction % 10 == 0 {
                fraction /= 10
                width -= 1
            }
            digits(fraction, width: width)
        }
        append(UInt8(ascii: "S"))
    }
}
