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
}
