// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

/// How the column of a property is declared in a table that is made for it.
///
/// A declared type says both what SQLite keeps (its affinity) and what a scan of the table takes the column for.
struct SQLiteColumn {
    private let property: Property
    private let enumeration: EnumerationType?

    init(_ property: Property, in model: EntityModel) {
        self.property = property
        enumeration = model.enumeration(of: property)
    }

    private var name: String { SQLToken.name(property.names.database) }

    /// The declared type: `VARCHAR(80)`, `DECIMAL(10,2)`, `INT`.
    var declaration: String {
        if property.structure != nil { return "JSON" }
        if property.type.isSpatial { return "TEXT" }
        switch ColumnForm(property) {
        case .boolean: return "BOOLEAN"
        case .integer: return integer
        case .decimalScaled, .dateUnixSeconds, .momentUnixSeconds, .momentUnixMilliseconds: return "INTEGER"
        case .double: return "DOUBLE"
        case .single: return "FLOAT"
        case .momentJulianDay: return "REAL"
        case .decimalReal: return "DECIMAL" + digits
        // Of the affinity of texts: an exact decimal never becomes a number.
        case .decimalText: return "DECIMAL_TEXT" + digits
        case .binary: return "BLOB"
        case .guidBlob: return "BLOB"
        case .guidText: return "UUID"
        case .dateText: return "DATE"
        case .timeText: return "TIME"
        case .momentText, .momentSQLText: return "DATETIME"
        case .string: return property.maxLength.map { "VARCHAR(\($0))" } ?? "TEXT"
        case .booleanText, .durationText, .members: return "TEXT"
        }
    }

    private var integer: String {
        switch property.type {
        case .byte: "TINYINT"
        case .sbyte, .int16: "SMALLINT"
        case .int32: "INT"
        default: "BIGINT"
        }
    }

    private var digits: String {
        guard let precision = property.precision else { return "" }
        return property.scale.map { "(\(precision),\($0))" } ?? "(\(precision))"
    }

    /// The conditions of the column's CHECK constraints; null passes each of them.
    var checks: [String] {
        if let structure = property.structure {
            if case .collection = structure { return ["json_type(\(name)) = 'array'"] }
            return ["json_type(\(name)) = 'object'"]
        }
        var checks: [String] = []
        if let length = property.maxLength, [.string, .binary].contains(property.type) {
            checks.append("length(\(name)) <= \(length)")
        }
        if let enumeration, !enumeration.isFlags {
            checks.append("\(name) IN (\(enumeration.members.map { SQLToken.text($0.name) }.joined(separator: ", ")))")
        } else if enumeration == nil {
            let allowed = property.allowedValues.compactMap(literal)
            if !allowed.isEmpty, allowed.count == property.allowedValues.count {
                checks.append("\(name) IN (\(allowed.joined(separator: ", ")))")
            }
            if let least = bound(property.minimum) { checks.append("\(name) >= \(least)") }
            if let greatest = bound(property.maximum) { checks.append("\(name) <= \(greatest)") }
        }
        return checks
    }

    /// A least or greatest value, where the column's values are ordered as the property's are.
    private func bound(_ value: Value?) -> String? {
        guard let value, property.storage != .decimalText else { return nil }
        return literal(value)
    }

    /// The default in its storage form, or `nil` where there is none.
    var defaultLiteral: String? {
        if property.generation == .onInsert, property.type == .guid { return Self.randomGUID }
        guard let value = property.defaultValue, !value.isNull, property.structure == nil else { return nil }
        return literal(value)
    }

    private func literal(_ value: Value) -> String? {
        if let enumeration, case .integer(let number) = value { return SQLToken.text(enumeration.text(of: number)) }
        switch property.stored(value) {
        case .integer(let number)?: return String(number)
        // SQL has no literal of what is no number: the word would be a name, and as a default a text.
        case .real(let number)?: return number.isFinite ? "\(number)" : nil
        case .text(let text)?: return SQLToken.text(text)
        default: return nil
        }
    }

    /// A GUID of version 4, variant 1.
    ///
    /// Source: RFC 9562, section 5.4.
    private static let randomGUID =
        "(lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-' || "
        + "substr('89ab', 1 + (abs(random()) % 4), 1) || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6))))"
}
