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
    private let type: PrimitiveType
    /// The property's name on the wire, for errors.
    private let name: String
    private let fraction: Int?
    private let set: String?

    /// - `set`: the wire name of the set, for errors.
    /// - `fraction`: the digits of times' seconds; `nil` for the property's precision, else as few as hold the value.
    /// - `enumeration`: the property's enumeration type, where its column holds names.
    package init(_ property: Property, set: String? = nil, fraction: Int? = nil, enumeration: EnumerationType? = nil) {
        type = property.type
        name = property.names.wire
        self.set = set
        self.fraction = fraction ?? (property.type == .decimal ? nil : property.precision)
        form = ColumnForm(property, enumeration)
    }

    /// The error for a value that the column cannot hold.
    private func unfit(_ reason: String) -> StorageError {
        StorageError(
            .invalidValue,
            set: set,
            properties: [name],
            message: "\(name) cannot hold the value: \(reason)."
        )
    }

    private func wrongType() -> StorageError { unfit("it is no \(type.rawValue)") }

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
            guard range.contains(value) else { throw unfit("it is out of the range of \(type.rawValue)") }
            statement.bind(value, index)
        case .members(let names):
            guard let name = names.text(value) else { throw unfit("no member has the value \(value)") }
            statement.bind(name, index)
        case .double, .single: statement.bind(Double(value), index)
        case .decimalReal, .decimalText, .decimalScaled:
            try decimal(EdmDecimal(coefficient: Int128(value)), statement, index)
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
        if case .string = form { return unsafe statement.bind(text: utf8, index) }
        guard let value = unsafe Value(utf8: utf8, as: type) else { throw wrongType() }
        switch value {
        case .decimal, .guid, .date, .timeOfDay, .dateTimeOffset, .duration: try bind(value, statement, index)
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
        case .decimal(let value): try decimal(value, statement, index)
        case .string(let value):
            guard case .string = form else { throw wrongType() }
            statement.bind(value, index)
        case .geography(let value):
            guard case .string = form else { throw wrongType() }
            statement.bind(value.text, index)
        case .binary(let value):
            guard case .binary = form else { throw wrongType() }
            statement.bind(value, index)
        case .guid(let value): try guid(value, statement, index)
        case .date(let value): try date(value, statement, index)
        case .timeOfDay(let value):
            guard case .timeText = form else { throw wrongType() }
            try checkFraction(value.nanoseconds)
            bind(statement, index) { $0.append(value, fraction: fraction) }
        case .dateTimeOffset(let value): try moment(value, statement, index)
        case .duration(let value):
            guard case .durationText = form else { throw wrongType() }
            bind(statement, index) { $0.append(value) }
        }
    }

    private func bind(_ statement: PreparedStatement, _ index: Int32, _ write: (inout StoredText) -> Void) {
        var text = StoredText()
        write(&text)
        unsafe text.withBytes { unsafe statement.bind(text: $0, index) }
    }

    private func decimal(_ value: EdmDecimal, _ statement: PreparedStatement, _ index: Int32) throws {
        switch form {
        case .decimalScaled(let target):
            let value = value.normalized
            guard value.scale <= target else { throw unfit("it has more than \(target) digits after the point") }
            guard let scaled = value.coefficient(atScale: target).flatMap({ Int64(exactly: $0) }) else {
                throw unfit("it has too many digits")
            }
            statement.bind(scaled, index)
        case .decimalText: bind(statement, index) { $0.append(value) }
        case .decimalReal:
            let value = value.normalized
            if value.scale == 0, let whole = Int64(exactly: value.coefficient) {
                return statement.bind(whole, index)
            }
            guard let real = RealDecimal.double(coefficient: value.coefficient, scale: value.scale) else {
                throw unfit("its column keeps 15 digits")
            }
            statement.bind(real, index)
        default: throw wrongType()
        }
    }

    private func guid(_ value: GUID, _ statement: PreparedStatement, _ index: Int32) throws {
        switch form {
        case .guidBlob:
            var words = (value.high.bigEndian, value.low.bigEndian)
            unsafe withUnsafeBytes(of: &words) { unsafe statement.bind(blob: $0, index) }
        case .guidText(let upperCase): bind(statement, index) { $0.append(value, upperCase: upperCase) }
        default: throw wrongType()
        }
    }

    /// Refuses a day that the text of a column cannot say.
    private func check(_ date: CalendarDate) throws {
        guard CalendarDate.range.contains(Int64(date.daysSinceEpoch)) else { throw unfit("it is outside the calendar") }
    }

    private func date(_ value: CalendarDate, _ statement: PreparedStatement, _ index: Int32) throws {
        try check(value)
        switch form {
        case .dateUnixSeconds: statement.bind(Int64(value.daysSinceEpoch) * 86_400, index)
        case .dateText: bind(statement, index) { $0.append(value) }
        default: throw wrongType()
        }
    }

    private func moment(_ value: DateTimeOffset, _ statement: PreparedStatement, _ index: Int32) throws {
        try check(value.date)
        let nanoseconds = Int64(value.nanoseconds)
        switch form {
        case .momentUnixSeconds:
            guard nanoseconds == 0 else { throw unfit("its column keeps whole seconds") }
            statement.bind(value.seconds, index)
        case .momentUnixMilliseconds:
            guard nanoseconds % 1_000_000 == 0 else { throw unfit("its column keeps whole milliseconds") }
            statement.bind(value.seconds * 1000 + nanoseconds / 1_000_000, index)
        case .momentJulianDay:
            guard nanoseconds % 1_000_000 == 0 else { throw unfit("its column keeps whole milliseconds") }
            statement.bind((Double(value.seconds) + Double(nanoseconds) / 1e9) / 86_400 + 2_440_587.5, index)
        case .momentText, .momentSQLText:
            try checkFraction(nanoseconds)
            let isSQL = if case .momentSQLText = form { true } else { false }
            bind(statement, index) { $0.append(value, fraction: fraction, isSQL: isSQL) }
        default: throw wrongType()
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
