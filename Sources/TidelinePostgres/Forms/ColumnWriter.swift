// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

/// Gives the values of one property the form in which its column takes them.
struct ColumnWriter: Sendable {
    private let property: Property
    private let column: PostgresColumn?
    private let enumeration: EnumerationType?
    private let set: String

    init(_ property: Property, _ column: PostgresColumn?, set: String, model: EntityModel) {
        enumeration =
            property.storage == .memberName ? property.enumeration.flatMap { model[enumeration: $0] } : nil
        self.property = property
        self.column = column
        self.set = set
    }

    /// The parameter with its number as the column takes it: a plain one has the column's own type.
    func placeholder(_ number: Int) -> String {
        let element: String
        switch column?.kind {
        case .array(let type): element = type
        case .composite:
            let record = "jsonb_populate_record(NULL::\(column?.type ?? "record"), $\(number)::text::jsonb)"
            return "CASE WHEN $\(number)::text IS NOT NULL THEN \(record) END"
        // As text it would be read by the rules of a locale.
        case .cast where column?.type == "money": return "$\(number)::text::numeric::money"
        default: return "$\(number)"
        }
        let items = "jsonb_array_elements_text($\(number)::text::jsonb) WITH ORDINALITY AS a(item, place)"
        return
            "CASE WHEN $\(number)::text IS NOT NULL THEN ARRAY(SELECT item::\(element) FROM \(items) ORDER BY place) END"
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

    /// A value as a parameter.
    ///
    /// - Throws: ``StorageError/Code/invalidValue`` when the column cannot hold it.
    func parameter(_ value: Value) throws -> SQLValue {
        guard value != .null else { return .null }
        guard let value = value.promoted(to: property.type) else { throw unfit("it is no \(property.type.rawValue)") }
        if case .integer(let number) = value, property.type.integerRange?.contains(number) != true {
            throw unfit("it is out of the range of \(property.type.rawValue)")
        }
        if let enumeration, case .integer(let number) = value { return .text(enumeration.text(of: number)) }
        guard property.storage == .native || property.storage == .memberName else {
            guard let stored = property.stored(value) else { throw unfit("its column has no form for it") }
            return stored
        }
        switch value {
        case .boolean(let flag) where column?.kind == .number: return .integer(flag ? 1 : 0)
        case .integer(let number): return .integer(number)
        case .double(let number): return .real(number)
        case .binary(let bytes): return .blob(bytes)
        case .decimal(let number):
            if let scale = property.scale, number.normalized.scale > scale {
                throw unfit("it has more than \(scale) digits after the point")
            }
            return .text(number.text)
        case .date(let date): return .text(PostgresDialect.text(DateTimeOffset(date: date), isDate: true))
        case .dateTimeOffset(let moment):
            try checkFraction(Int64(moment.nanoseconds))
            return .text(PostgresDialect.text(moment, isDate: false))
        case .timeOfDay(let time):
            try checkFraction(time.nanoseconds % 1_000_000_000)
            return .text(time.text)
        case .duration(let duration):
            let (seconds, attoseconds) = duration.components
            try checkFraction(attoseconds / 1_000_000_000)
            return .text("\(seconds) seconds \(attoseconds / 1_000_000_000_000) microseconds")
        default: return value.text.map(SQLValue.text) ?? .null
        }
    }

    /// Refuses a fraction with more digits than are kept: six at most, where PostgreSQL would round.
    private func checkFraction(_ nanoseconds: Int64) throws {
        let digits = min(property.precision ?? 6, 6)
        var unit: Int64 = 1
        for _ in max(digits, 0)..<9 { unit *= 10 }
        guard nanoseconds % unit == 0 else { throw unfit("its column keeps \(digits) digits of a second") }
    }
}
