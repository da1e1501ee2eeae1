// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

package import TidelineModel
import TidelineStorage

/// Reads one column of a statement as the values of one property, whatever its storage form.
///
/// A value that does not fit the form is an error or told as an exception, never a guess. In a key of a store whose changes
/// are told, only the one text that ``ColumnWriter`` writes for a value fits: rows are looked for by it.
package struct ColumnReader: Sendable {
    /// The place of the property in its entity type: what ETags are hashed with.
    package let place: Int
    private let isKey: Bool
    private let isExact: Bool
    private let form: ColumnForm
    let type: PrimitiveType
    /// The same for the most usual forms.
    let plain: PlainColumn
    /// What errors name; one object, because readers are copied in the loop over rows.
    private let subject: Subject

    private final class Subject: Sendable {
        let set: String?
        let property: String
        /// The digits of a second's fraction in texts of keys.
        let fraction: Int?

        init(set: String?, property: String, fraction: Int?) {
            self.set = set
            self.property = property
            self.fraction = fraction
        }
    }

    /// - `place`: the place of the property in its entity type.
    /// - `set`: the wire name of the set, for errors.
    /// - `isKey`: whether it is part of the key, without which there is no entity.
    /// - `isExact`: whether a part of a key has to be stored as it is written.
    /// - `enumeration`: the property's enumeration type, where its column holds names.
    package init(
        _ property: Property,
        place: Int,
        set: String? = nil,
        isKey: Bool = false,
        isExact: Bool = false,
        enumeration: EnumerationType? = nil
    ) {
        self.place = place
        self.isKey = isKey
        self.isExact = isKey && isExact
        let form = ColumnForm(property, enumeration)
        self.form = form
        plain = PlainColumn(form)
        type = property.type
        subject = Subject(set: set, property: property.names.wire, fraction: property.precision)
    }

    /// Pushes the value of a column into a sink.
    ///
    /// - Throws: ``StorageError/Code/unreadableValue``.
    package func push(_ statement: PreparedStatement, _ column: Int32, into sink: any RowSink) throws {
        var output = SinkOutput(sink)
        try read(statement, column, to: &output)
    }

    /// Gives the value of a column of a stored entity to an output.
    ///
    /// Where the column holds none of its type, as one without `STRICT` may, the output is told of the exception, and
    /// the entity's other values go on.
    ///
    /// - Throws: ``StorageError/Code/unreadableValue`` for a part of the key.
    @inline(__always)
    func give<Output: ColumnOutput>(_ statement: PreparedStatement, _ column: Int32, to output: inout Output) throws {
        do {
            try read(statement, column, to: &output)
        } catch let error as StorageError where error.code == .unreadableValue && !isKey {
            output.exception(statement.held(column))
        }
    }

    /// The value of a column.
    ///
    /// - Throws: ``StorageError/Code/unreadableValue``.
    package func value(_ statement: PreparedStatement, _ column: Int32) throws -> Value {
        var output = ValueOutput(type: type)
        try read(statement, column, to: &output)
        guard let value = output.value else { throw unreadable() }
        return value
    }

    /// The value that an INTEGER stands for.
    func value(integer value: Int64) throws -> Value { try converted { try integer(value, to: &$0) } }

    /// The value that a REAL stands for.
    func value(real value: Double) throws -> Value { try converted { try real(value, to: &$0) } }

    /// The value that a TEXT stands for.
    func value(text value: String) throws -> Value {
        try converted { output in
            try unsafe Array(value.utf8).withUnsafeBytes { unsafe try text($0, to: &output) }
        }
    }

    /// The value that a BLOB stands for.
    func value(blob value: [UInt8]) throws -> Value {
        try converted { output in try unsafe value.withUnsafeBytes { unsafe try blob($0, to: &output) } }
    }

    private func converted(_ body: (inout ValueOutput) throws -> Void) throws -> Value {
        var output = ValueOutput(type: type)
        try body(&output)
        guard let value = output.value else { throw unreadable() }
        return value
    }

    /// The error for a value that does not fit.
    func unreadable() -> StorageError {
        StorageError(
            .unreadableValue,
            set: subject.set,
            properties: [subject.property],
            message:
                "\(subject.property) holds a value that is no \(type.rawValue) in the form that the model gives it."
        )
    }

    /// Pushes the value of a column to an output, in its canonical form.
    @inline(__always)
    func read<Output: ColumnOutput>(_ statement: PreparedStatement, _ column: Int32, to output: inout Output) throws {
        switch statement.storageClass(column) {
        case .null: output.null()
        case .integer: try integer(statement.integer(column), to: &output)
        case .real: try real(statement.real(column), to: &output)
        case .text: unsafe try text(statement.text(column), to: &output)
        case .blob: unsafe try blob(statement.blob(column), to: &output)
        }
    }

    @inline(__always)
    private func integer<Output: ColumnOutput>(_ value: Int64, to output: inout Output) throws {
        switch form {
        case .integer(let range):
            guard range.contains(value) else { throw unreadable() }
            output.integer(value)
        case .boolean:
            guard value == 0 || value == 1 else { throw unreadable() }
            output.boolean(value == 1)
        case .double, .single:
            // An INTEGER in a floating-point column is the same number as long as a double holds it.
            guard Int64(exactly: Double(value)) == value else { throw unreadable() }
            output.double(Double(value))
        default: try convertedInteger(value, to: &output)
        }
    }

    private func convertedInteger<Output: ColumnOutput>(_ value: Int64, to output: inout Output) throws {
        var text = StoredText()
        switch form {
        case .decimalReal: text.append(EdmDecimal(coefficient: Int128(value)))
        case .decimalScaled(let scale): text.append(EdmDecimal(coefficient: Int128(value), scale: scale))
        case .dateUnixSeconds:
            guard value % 86_400 == 0, abs(value) < 400_000_000_000 else { throw unreadable() }
            text.append(CalendarDate(daysSinceEpoch: Int32(value / 86_400)))
        case .momentUnixSeconds:
            guard value.magnitude < 377_000_000_000 else { throw unreadable() }
            text.append(DateTimeOffset(seconds: value))
        case .momentUnixMilliseconds:
            guard value.magnitude < 377_000_000_000_000 else { throw unreadable() }
            text.append(Self.moment(milliseconds: value))
        case .momentJulianDay: return try real(Double(value), to: &output)
        default: throw unreadable()
        }
        unsafe text.withBytes { unsafe output.text($0) }
    }

    private func real<Output: ColumnOutput>(_ value: Double, to output: inout Output) throws {
        switch form {
        case .double, .single: output.double(value)
        case .integer, .boolean, .decimalScaled, .momentUnixSeconds, .momentUnixMilliseconds, .dateUnixSeconds:
            // A column without affinity may hold 5.0 where 5 is meant; that is the same number.
            guard let whole = Int64(exactly: value) else { throw unreadable() }
            try integer(whole, to: &output)
        case .decimalReal(let scale):
            guard let (coefficient, places) = RealDecimal.digits(of: value, scale: scale) else { throw unreadable() }
            var text = StoredText()
            text.append(EdmDecimal(coefficient: Int128(coefficient), scale: places))
            unsafe text.withBytes { unsafe output.text($0) }
        case .momentJulianDay:
            // Julian day 2440587.5 is 1970-01-01T00:00:00Z; a double resolves about 0.05 ms, so milliseconds count.
            guard value > 0, value < 5_373_485 else { throw unreadable() }
            let milliseconds = ((value - 2_440_587.5) * 86_400_000).rounded()
            var text = StoredText()
            text.append(Self.moment(milliseconds: Int64(milliseconds)))
            unsafe text.withBytes { unsafe output.text($0) }
        default: throw unreadable()
        }
    }

    private static func moment(milliseconds: Int64) -> DateTimeOffset {
        let rest = milliseconds % 1000
        let seconds = milliseconds / 1000 - (rest < 0 ? 1 : 0)
        return DateTimeOffset(seconds: seconds, nanoseconds: Int32(rest < 0 ? rest + 1000 : rest) * 1_000_000)
    }

    @inline(__always)
    private func text<Output: ColumnOutput>(_ bytes: UnsafeRawBufferPointer, to output: inout Output) throws {
        if case .string = form {
            guard unsafe isWellFormedUTF8(bytes) else { throw unreadable() }
            unsafe output.text(bytes)
        } else {
            unsafe try convertedText(bytes, to: &output)
        }
    }

    private func convertedText<Output: ColumnOutput>(_ bytes: UnsafeRawBufferPointer, to output: inout Output) throws {
        var cursor = unsafe TextCursor(bytes)
        var text = StoredText()
        switch form {
        case .decimalText, .decimalReal:
            guard let decimal = cursor.decimal(), cursor.isAtEnd else { throw unreadable() }
            text.append(decimal)
            // A number, which a text never equals.
            if isExact, case .decimalReal = form { throw unreadable() }
            try unsafe check(bytes) { $0.append(decimal) }
        case .guidText(let upperCase):
            guard let guid = unsafe GUID(utf8: bytes) else { throw unreadable() }
            text.append(guid)
            try unsafe check(bytes) { $0.append(guid, upperCase: upperCase) }
        case .dateText:
            guard let date = cursor.date(), cursor.isAtEnd else { throw unreadable() }
            try unsafe check(bytes) { $0.append(date) }
            return unsafe output.text(bytes)
        case .timeText:
            guard let (time, _) = cursor.time(), cursor.isAtEnd else { throw unreadable() }
            text.append(time)
            try unsafe check(bytes) { $0.append(time, fraction: subject.fraction) }
        case .momentText, .momentSQLText:
            let isSQL = if case .momentSQLText = form { true } else { false }
            guard let moment = cursor.moment(isSQL: isSQL) else { throw unreadable() }
            text.append(moment)
            try unsafe check(bytes) { $0.append(moment, fraction: subject.fraction, isSQL: isSQL) }
        case .durationText:
            guard let duration = unsafe Duration(utf8: bytes) else { throw unreadable() }
            text.append(duration)
            try unsafe check(bytes) { $0.append(duration) }
        case .members(let names):
            guard let value = unsafe names.value(bytes) else { throw unreadable() }
            if isExact, unsafe !bytes.elementsEqual((names.text(value) ?? "").utf8) { throw unreadable() }
            return output.integer(value)
        case .booleanText:
            if unsafe bytes.elementsEqual("true".utf8) { return output.boolean(true) }
            guard unsafe bytes.elementsEqual("false".utf8) else { throw unreadable() }
            return output.boolean(false)
        default: throw unreadable()
        }
        unsafe text.withBytes { unsafe output.text($0) }
    }

    /// Makes sure that a part of a key is stored as it is written.
    @inline(__always)
    private func check(_ bytes: UnsafeRawBufferPointer, _ write: (inout StoredText) -> Void) throws {
        guard isExact else { return }
        var text = StoredText()
        write(&text)
        guard unsafe bytes.elementsEqual(text.bytes) else { throw unreadable() }
    }

    private func blob<Output: ColumnOutput>(_ bytes: UnsafeRawBufferPointer, to output: inout Output) throws {
        switch form {
        case .binary: unsafe output.binary(bytes)
        case .guidBlob:
            guard bytes.count == 16 else { throw unreadable() }
            var text = StoredText()
            text.append(
                GUID(
                    high: unsafe UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
                    low: unsafe UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
                )
            )
            unsafe text.withBytes { unsafe output.text($0) }
        default: throw unreadable()
        }
    }
}
