// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineStorage

/// The type of a column as the catalog knows it, looked at through domains.
struct ColumnType: Hashable {
    /// What kind of type it is: `pg_type.typtype`, and arrays apart.
    enum Kind: String {
        case base = "b"
        case enumeration = "e"
        case composite = "c"
        case range = "r"
        case multirange = "m"
        case pseudo = "p"
        case array = "A"
    }

    /// The base type's name in `pg_type`: `int4`, `timestamptz`; for an array that of its elements.
    var name: String
    var kind: Kind
    /// The base type's identifier in `pg_type`; for an array that of its elements.
    var identifier: UInt32
    /// The length of a `varchar`, the precision and scale of a `numeric`; -1 for none.
    var modifier: Int32

    /// How a value of this type is written into the log: an SQL expression of type `jsonb`.
    ///
    ///     true   42   "text"   "x00ff"   {}   null
    ///
    /// Numbers that JSON may spoil and times are texts, whatever the writer's session is set to; bytes are digits
    /// after `x`; `{}` is a value too long for the log.
    func logged(_ value: String, limit: Int?) -> String {
        let plain: String
        // Types of fixed width never are too long.
        var length: String?
        switch (kind, name) {
        case (.base, "bool"), (.base, "int2"), (.base, "int4"), (.base, "int8"), (.base, "uuid"), (.base, "date"),
            (.base, "time"), (.base, "timestamp"):
            plain = "to_jsonb(\(value))"
        case (.base, "float4"), (.base, "float8"):
            plain = "to_jsonb('x'||encode(float8send(\(value)::float8),'hex'))"
        case (.base, "timestamptz"): plain = "to_jsonb(\(value) AT TIME ZONE 'UTC')"
        case (.base, "interval"): plain = "to_jsonb(extract(epoch FROM \(value))::text)"
        case (.base, "money"): plain = "to_jsonb(\(value)::numeric::text)"
        case (.base, "bytea"):
            plain = "to_jsonb('x'||encode(\(value),'hex'))"
            length = "octet_length(\(value))"
        case (.base, "text"), (.base, "varchar"), (.base, "bpchar"):
            plain = "to_jsonb(\(value)::text)"
            length = "octet_length(\(value))"
        case (.array, _), (.composite, _):
            plain = "to_jsonb(to_jsonb(\(value))::text)"
            length = "pg_column_size(\(value))"
        case (.enumeration, _): plain = "to_jsonb(\(value)::text)"
        default:
            plain = "to_jsonb(\(value)::text)"
            length = "pg_column_size(\(value))"
        }
        guard let limit, let length else { return plain }
        return "CASE WHEN \(value) IS NULL THEN NULL WHEN \(length)>\(limit) THEN '{}' ELSE \(plain) END"
    }

    /// A text as a value of this type, where equal values are logged as equal texts: then it can be looked up.
    func lookedUp(_ text: String) -> String? {
        switch (kind, name) {
        case (.base, "bool"), (.base, "int2"), (.base, "int4"), (.base, "int8"), (.base, "uuid"), (.base, "date"),
            (.base, "text"), (.base, "varchar"), (.base, "bpchar"):
            logged("\(text)::pg_catalog.\(name)", limit: nil)
        default: nil
        }
    }
}
