// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// How the column of a property holds its values, where one type can be held in several ways.
///
/// Written for each property in a domain's file, found by a scan of the data. A value that does not fit its form is
/// refused, never guessed.
public enum StorageForm: String, Hashable, Sendable, CaseIterable {
    /// The natural form: INTEGER for integers and Booleans (0, 1), REAL for floating point and decimals that came as
    /// numbers, TEXT for strings, BLOB for binary; ISO 8601 TEXT in UTC for dates and times; lower-case TEXT for GUIDs.
    case native
    /// A decimal as TEXT, exact.
    case decimalText = "decimal-text"
    /// A decimal as INTEGER, scaled by ten to the power of the property's scale.
    case decimalScaled = "decimal-scaled"
    /// A GUID as a BLOB of 16 bytes, in the order of its text.
    case guidBlob = "guid-blob"
    /// A GUID as TEXT with upper-case digits.
    case guidUpper = "guid-upper"
    /// A date or moment as INTEGER seconds after 1970-01-01T00:00:00Z.
    case unixSeconds = "unix-seconds"
    /// A moment as INTEGER milliseconds after 1970-01-01T00:00:00Z.
    case unixMilliseconds = "unix-milliseconds"
    /// A moment as REAL Julian day number.
    case julianDay = "julian-day"
    /// A moment as TEXT `YYYY-MM-DD HH:MM:SS[.fff]` in UTC with no offset, the form of SQLite's `datetime()`.
    case sqlText = "sql-text"
    /// A Boolean as TEXT `true` or `false`.
    case booleanText = "boolean-text"
    /// A member of an enumeration as TEXT, by its name (several with commas for flags); `native` is its integer.
    case memberName = "member-name"
    /// A geography or geometry value as TEXT in GeoJSON; `native` is well-known text.
    case geoJSON = "geojson"
}
