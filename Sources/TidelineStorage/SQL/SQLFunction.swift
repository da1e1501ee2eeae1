// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// The functions that compiled SQL calls, beyond those that every database has with the same meaning.
///
/// On SQLite they are the functions `tideline_…` of every connection; their bodies are those of the evaluator. Each
/// returns null for a null argument, and null where the rule of expressions says so (overflow, division by zero).
///
/// Computed values have one form each: moments as text `YYYY-MM-DDTHH:MM:SS.fffffffffZ`, dates as text, times of day and
/// durations as integer nanoseconds, decimals and GUIDs as text.
public enum SQLFunction: String, Hashable, Sendable, CaseIterable {
    // Checked arithmetic of 64-bit integers; the remainder of floating-point numbers.
    case add, subtract, multiply, divide, negate
    case remainder
    /// A quotient of floating-point numbers: infinity by zero, null where it is not a number.
    case realDivide = "real_divide"
    case round, floor, ceiling

    /// A decimal's text from INTEGER, REAL or TEXT.
    case decimal
    /// A decimal's text from a scaled integer and its scale.
    case decimalScaled = "decimal_scaled"
    /// The number itself for INTEGER; for REAL the number nearest to the decimal that it is read as.
    case real
    /// The nearest floating-point number of a decimal's text.
    case double
    case decimalAdd = "decimal_add"
    case decimalSubtract = "decimal_subtract"
    case decimalMultiply = "decimal_multiply"
    case decimalDivide = "decimal_divide"
    case decimalRemainder = "decimal_remainder"
    case decimalNegate = "decimal_negate"
    case decimalRound = "decimal_round"
    case decimalFloor = "decimal_floor"
    case decimalCeiling = "decimal_ceiling"

    // Text, by Unicode scalars.
    case lower, upper, trim, length, substring, endswith

    /// A GUID's text from its 16 bytes.
    case guid
    /// A moment from a stored value and the name of its storage form.
    case moment
    /// A time of day's nanoseconds from its text.
    case time
    /// A duration's nanoseconds from its text.
    case duration
    /// A moment and nanoseconds.
    case momentAdd = "moment_add"
    /// The nanoseconds from the second moment to the first.
    case momentSubtract = "moment_subtract"
    /// A duration's nanoseconds times a decimal's text, half away from zero.
    case durationMultiply = "duration_multiply"
    /// A duration's nanoseconds divided by a decimal's text, half away from zero.
    case durationDivide = "duration_divide"

    /// A value of one type as one of another: the computed value and the names of the two types.
    case cast
    /// Whether a text matches a pattern: the text and ``TidelineModel/Pattern``'s text.
    case matches
    /// The value in JSON text: the text, the name of its type, then the names of the members that lead to it.
    case json
    /// The JSON text in JSON text: the text, then the names of the members that lead to it; null for JSON's null.
    case jsonText = "json_text"
    /// Whether the second JSON array comes from the first by leaving out items and changing their order.
    case hasSubset = "has_subset"
    /// Whether the second JSON array comes from the first by leaving out items.
    case hasSubsequence = "has_subsequence"
    /// Whether two JSON texts are the same structure; null where one is none.
    case same = "json_same"
    /// Whether words, with a space between, stand side by side in a text: both are of ``TidelineModel/SearchWords``.
    case found
    /// The number of a member's name, or of several with commas: the text, then `Red=1;Green=2`.
    case member

    /// A shape's extended WKT from a stored value, the name of its storage form and its reference system.
    case shape
    /// Two shapes, and 1 for a plane.
    case geoDistance = "geo_distance"
    /// Two shapes, and 1 for a plane.
    case geoIntersects = "geo_intersects"
    /// A shape, and 1 for a plane.
    case geoLength = "geo_length"
}
