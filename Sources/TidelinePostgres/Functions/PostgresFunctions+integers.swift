// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

extension PostgresFunctions {
    /// Arithmetic of 64-bit integers: null on overflow and division by zero, where PostgreSQL fails.
    static let integers = [
        sql(
            "add(a bigint, b bigint)",
            "bigint",
            "CASE WHEN b > 0 AND a > 9223372036854775807 - b OR b < 0 AND a < -9223372036854775808 - b THEN NULL"
                + " ELSE a + b END"
        ),
        sql(
            "subtract(a bigint, b bigint)",
            "bigint",
            "CASE WHEN b < 0 AND a > 9223372036854775807 + b OR b > 0 AND a < -9223372036854775808 + b THEN NULL"
                + " ELSE a - b END"
        ),
        sql(
            "multiply(a bigint, b bigint)",
            "bigint",
            "CASE WHEN a::numeric * b::numeric BETWEEN -9223372036854775808 AND 9223372036854775807 THEN a * b END"
        ),
        sql(
            "divide(a bigint, b bigint)",
            "bigint",
            "CASE WHEN b = 0 OR b = -1 AND a = -9223372036854775808 THEN NULL ELSE a / b END"
        ),
        sql("modulo(a bigint, b bigint)", "bigint", "CASE WHEN b = 0 THEN NULL ELSE a % b END"),
        sql("negate(a bigint)", "bigint", "CASE WHEN a = -9223372036854775808 THEN NULL ELSE -a END"),
    ].joined(separator: "\n")
}
