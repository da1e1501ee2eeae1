// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineStorage

/// The functions of ours that compiled SQL calls on PostgreSQL, in the schema `tideline`.
///
/// Each has the meaning of its twin in ``TidelineModel/Arithmetic`` and ``TidelineModel/TextFunctions``, and computes
/// null where that gives null: no plan order makes a query fail. Most are plain SQL, which the planner writes out in
/// place.
package enum PostgresFunctions {
    /// The families, a file each.
    private static let families = [
        integers, reals, decimals, text, letters, words, clock, values, collections, shapes,
    ]

    /// The SQL that makes all functions, the schema included.
    private static let script = families.joined(separator: "\n")

    /// A number that changes with any of them.
    private static let version: Int64 = {
        var hash = SipHash(key0: 0, key1: 0)
        unsafe Array(script.utf8).withUnsafeBytes { unsafe hash.combine(bytes: $0) }
        return Int64(truncatingIfNeeded: hash.finish().first)
    }()

    /// Whether a database has these very functions.
    package static func isCurrent(on connection: PostgresConnection) throws -> Bool {
        let known = try connection.query("SELECT to_regprocedure('tideline.functions_version()') IS NOT NULL")
        guard known.rowCount == 1, known[0].boolean(0) == true else { return false }
        return try connection.query("SELECT tideline.functions_version()")[0].integer(0) == version
    }

    /// Makes the functions where they are missing or of another version.
    ///
    /// Runs in the caller's transaction, or in one of its own.
    package static func install(on connection: PostgresConnection) throws {
        guard try !isCurrent(on: connection) else { return }
        // Two servers that start at once must not trip over each other.
        let lock = "SELECT pg_advisory_xact_lock(7310593858020254331)"
        let statements = """
            CREATE SCHEMA IF NOT EXISTS tideline;
            SET LOCAL check_function_bodies = off;
            \(script)
            CREATE OR REPLACE FUNCTION tideline.functions_version() RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE
            AS $$ SELECT \(version) $$;
            SET LOCAL check_function_bodies = on;
            """
        guard !connection.isInTransaction else {
            try connection.execute(lock)
            return try connection.execute(statements)
        }
        try connection.execute("BEGIN; \(lock); \(statements); COMMIT")
    }

    /// One function in plain SQL.
    static func sql(_ signature: String, _ result: String, _ body: String, isStable: Bool = false) -> String {
        """
        CREATE OR REPLACE FUNCTION tideline.\(signature) RETURNS \(result) LANGUAGE sql
        \(isStable ? "STABLE" : "IMMUTABLE") PARALLEL SAFE AS $$ SELECT \(body) $$;
        """
    }
}
