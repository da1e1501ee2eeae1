// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// The type of a property by the type of its column.
struct TypeChoice {
    var type: PrimitiveType
    var storage: StorageForm = .native
    var maxLength: Int?
    var precision: Int?
    var scale: Int?
    var structure: Structure?
    /// A condition that finds the values that the type cannot hold, with what they are called.
    var misfit: (condition: String, name: String)?
    /// What was decided, as the end of a sentence that begins with the column.
    var note: String?

    /// Chooses, or `nil` where OData has no such type.
    ///
    /// - Parameters:
    ///   - type: the column's type; of an enumeration the members are chosen elsewhere.
    ///   - column: the column as SQL names it.
    static func choose(_ type: ColumnType, column: String) -> TypeChoice? {
        switch type.kind {
        case .base: base(type, column)
        case .range, .multirange:
            TypeChoice(type: .string, note: "is published as a string, as PostgreSQL writes \(type.name)")
        case .array:
            // Of the elements only the type counts; a collection in an OData property has no null in its place.
            base(ColumnType(name: type.name, kind: .base, identifier: type.identifier, modifier: -1), column)
                .flatMap { element in
                    let isPlain = element.type != .binary && element.type != .duration && element.note == nil
                    guard isPlain else { return nil }
                    return TypeChoice(
                        type: .string,
                        structure: .collection(of: .primitive(element.type), itemsNullable: true),
                        misfit: ("array_ndims(\(column)) > 1", "arrays of arrays, which OData does not have")
                    )
                }
        default: nil
        }
    }

    private static func base(_ type: ColumnType, _ column: String) -> TypeChoice? {
        switch type.name {
        case "bool": TypeChoice(type: .boolean)
        case "int2": TypeChoice(type: .int16)
        case "int4": TypeChoice(type: .int32)
        case "int8": TypeChoice(type: .int64)
        case "float4": TypeChoice(type: .single)
        case "float8": TypeChoice(type: .double)
        case "numeric": numeric(type, column)
        case "text", "name": TypeChoice(type: .string)
        case "varchar": TypeChoice(type: .string, maxLength: type.modifier > 4 ? Int(type.modifier) - 4 : nil)
        case "bpchar":
            TypeChoice(
                type: .string,
                maxLength: type.modifier > 4 ? Int(type.modifier) - 4 : nil,
                note: "has a fixed length: PostgreSQL fills its values up with blanks"
            )
        case "uuid": TypeChoice(type: .guid)
        case "bytea": TypeChoice(type: .binary)
        case "date": TypeChoice(type: .date, misfit: (outOfYears(column), "dates outside the years 1 to 9999"))
        case "time":
            TypeChoice(
                type: .timeOfDay,
                precision: type.modifier >= 0 ? Int(type.modifier) : 6,
                misfit: ("\(column) = '24:00:00'", "times of 24:00")
            )
        case "timestamp", "timestamptz":
            TypeChoice(
                type: .dateTimeOffset,
                precision: type.modifier >= 0 ? Int(type.modifier) : 6,
                misfit: (outOfYears(column), "moments outside the years 1 to 9999"),
                note: type.name == "timestamp" ? "has no time zone; its values are taken for UTC" : nil
            )
        case "interval":
            TypeChoice(
                type: .duration,
                precision: 6,
                misfit: (
                    "extract(year FROM \(column)) <> 0 OR extract(month FROM \(column)) <> 0",
                    "intervals of months or years, which have no length"
                )
            )
        case "json", "jsonb":
            TypeChoice(type: .string, note: "is published as a string that holds JSON")
        // Made by the database for searching, or of no use as text.
        case "tsvector", "tsquery", "refcursor", "pg_lsn", "pg_snapshot", "txid_snapshot", "aclitem": nil
        case "money": nil
        default: TypeChoice(type: .string, note: "is published as a string, as PostgreSQL writes \(type.name)")
        }
    }

    private static func numeric(_ type: ColumnType, _ column: String) -> TypeChoice {
        let special = "\(column)::text IN ('NaN', 'Infinity', '-Infinity')"
        guard type.modifier >= 4 else {
            return TypeChoice(
                type: .decimal,
                misfit: (
                    "\(special) OR length(translate(\(column)::text, '-.', '')) > 38",
                    "numbers of more than 38 digits, or none at all"
                )
            )
        }
        let precision = Int((type.modifier - 4) >> 16 & 0xffff)
        // The scale is a signed number of eleven bits since version 15.
        let bits = Int((type.modifier - 4) & 0x7ff)
        let scale = bits > 1_023 ? bits - 2_048 : bits
        guard precision <= 38, scale >= 0, scale <= precision else {
            return TypeChoice(
                type: .decimal,
                misfit: (
                    "\(special) OR length(translate(\(column)::text, '-.', '')) > 38", "numbers of more than 38 digits"
                )
            )
        }
        return TypeChoice(
            type: .decimal,
            precision: precision,
            scale: scale,
            misfit: (special, "values that are not numbers")
        )
    }

    private static func outOfYears(_ column: String) -> String {
        "NOT isfinite(\(column)) OR \(column) < '0001-01-01' OR \(column) >= '10000-01-01'"
    }
}
