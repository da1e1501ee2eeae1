// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import CPostgres
package import TidelineStorage

/// What PostgreSQL said when it refused, or what libpq said when it could not ask.
package struct PostgresFailure: Error, Hashable, Sendable {
    /// Five characters; `08006` when the connection was lost.
    package let sqlState: String
    /// The first line of the message; it may hold values, so it goes to nobody but the server's own log.
    package let message: String
    package let table: String?
    package let column: String?
    package let constraint: String?
    /// The innermost routine that was at work, and where in it: `PL/pgSQL function check_sum() line 3 at RAISE`.
    private let place: String?
    /// The innermost function in PL/pgSQL, which is not the first line where a statement in it failed of what it may not do.
    private let function: String?

    package init(sqlState: String, message: String) {
        self.sqlState = sqlState
        self.message = message
        table = nil
        column = nil
        constraint = nil
        place = nil
        function = nil
    }

    /// From a result that says what was wrong.
    init(result: OpaquePointer?, connection: OpaquePointer) {
        func field(_ code: Unicode.Scalar) -> String? {
            unsafe PQresultErrorField(result, Int32(code.value)).map { unsafe String(cString: $0) }
        }
        let fallback = unsafe String(cString: PQerrorMessage(connection))
        sqlState = field("C") ?? "08006"
        message = field("M") ?? fallback.split(separator: "\n").first.map(String.init) ?? "The connection was lost."
        table = field("t")
        column = field("c")
        constraint = field("n")
        let lines = field("W")?.split(separator: "\n") ?? []
        place = lines.first.map(String.init)
        function = lines.first { $0.hasPrefix("PL/pgSQL function ") }.map(String.init)
    }

    /// Whether the session is gone, so that nothing more can be asked on its connection.
    package var isConnectionLost: Bool {
        sqlState.hasPrefix("08") || sqlState.hasPrefix("57P") || sqlState == "25P03"
    }

    /// Whether the same transaction may go through when it is run again.
    package var isTransient: Bool { sqlState == "40001" || sqlState == "40P01" }

    /// Whether a prepared statement is no longer what it was: tables or types changed, as when a backup is put back, or
    /// the session did.
    var isStalePlan: Bool {
        sqlState == "26000" || sqlState == "0A000" && message.hasPrefix("cached plan")
            || sqlState == "XX000" && message.hasPrefix("cache lookup failed for type")
    }

    /// Whether it goes on as it is: the store runs the closure again, or ends it.
    var isForStore: Bool { isTransient || isStalePlan || isConnectionLost }

    /// The error of the store, with table, column and constraint by their names in the database.
    ///
    /// The one table of SQLSTATEs. Messages of PostgreSQL hold values, so only those that a database's owner raised
    /// are passed on.
    /// Source: PostgreSQL 15, appendix A.
    package var storageError: StorageError {
        switch sqlState {
        case "23505": named(.duplicateValue, "Another entity has this value.")
        case "23503", "23001":
            named(.missingReference, "A referenced entity does not exist, or this entity is still referred to.")
        case "23502": named(.nullValue, "A value is missing.")
        case "23514", "23P01", "23000", "44000": named(.constraint, "A check of the database refused the change.")
        case _ where isRaised: StorageError(raised: message, orElse: "A routine of the database refused the change.")
        case "42501" where message.hasPrefix("new row violates row-level security policy"):
            StorageError(.constraint, message: "The row security of the database refused the change.")
        case "40001", "40P01": StorageError(.busy, message: "Other writers kept changing the same rows.")
        case "55P03": StorageError(.busy, message: "The database stayed locked by another writer.")
        case _ where isOfRoutine: StorageError(.constraint, message: "A routine of the database failed (\(sqlState)).")
        case "57014": StorageError(.timeout, message: "The statement took longer than the store allows.")
        case "53300": StorageError(.busy, message: "The database takes no more connections.")
        case "53100", "53200", "53400": StorageError(.full, message: "The database has no more space or memory.")
        case "42P01", "42703", "42883", "42704", "3F000":
            StorageError(.schemaChanged, message: "The tables no longer fit the model: \(message).")
        case "42501": StorageError(.io, message: "The database's user may not do this: \(message).")
        case "25006": StorageError(.unavailable, message: "The database cannot be written: it is read-only.")
        case "0A000" where isStalePlan, "XX000" where isStalePlan:
            StorageError(.schemaChanged, message: "The tables were changed meanwhile.")
        case "0A000": StorageError(.unsupported, message: "PostgreSQL does not support this: \(message).")
        case "54001", "54011", "54023": StorageError(.tooComplex, message: "The query is too large for PostgreSQL.")
        case "XX001", "XX002": StorageError(.corrupt, message: "The database is damaged: \(message).")
        // What libpq says when it cannot connect holds no values.
        case "08001", "57P03": StorageError(.unavailable, message: "The database cannot be opened: \(message).")
        case "3D000", "28000", "28P01":
            StorageError(.io, message: "The database cannot be opened: \(message).")
        default:
            switch sqlState.prefix(2) {
            case "22": StorageError(.invalidValue, message: "A value does not fit its column (\(sqlState)).")
            case "08", "57": StorageError(.unavailable, message: "The connection to the database was lost.")
            case "54": StorageError(.invalidValue, message: "A value or a row is too large for the database.")
            // What a function or a trigger came upon, and would again: an assertion, a row too many, a case it lacks.
            case "P0", "09", "20", "21", "23", "27", "2F", "38", "39":
                StorageError(.constraint, message: "The database refused the change (\(sqlState)).")
            default: StorageError(.io, message: "PostgreSQL refused (\(sqlState)): \(message).")
            }
        }
    }

    /// Whether a database's owner raised the error: with the code of `RAISE`, with one of a class of their own, or with any
    /// other but those that ask a writer to come again.
    private var isRaised: Bool {
        let isOwn = sqlState == "P0001" || !Self.classes.contains(String(sqlState.prefix(2)))
        return isOwn || place?.hasSuffix(" at RAISE") == true && !["40", "55"].contains(sqlState.prefix(2))
    }

    /// Whether a routine of the owner names what is not there or may not be used: it would again, whoever asks.
    private var isOfRoutine: Bool {
        guard let function, !function.hasPrefix("PL/pgSQL function tideline.") else { return false }
        return sqlState.hasPrefix("42") || sqlState.hasPrefix("0A") || sqlState == "3F000"
    }

    /// The classes of SQLSTATEs that are PostgreSQL's own.
    ///
    /// Source: PostgreSQL 17, appendix A.
    private static let classes: Set<String> = [
        "00", "01", "02", "03", "08", "09", "0A", "0B", "0F", "0L", "0P", "0Z", "10", "20", "21",
        "22", "23", "24", "25", "26", "27", "28", "2B", "2D", "2F", "34", "38", "39", "3B", "3D",
        "3F", "40", "42", "44", "53", "54", "55", "57", "58", "72", "F0", "HV", "P0", "XX",
    ]

    private func named(_ code: StorageError.Code, _ sentence: String) -> StorageError {
        StorageError(code, set: table, properties: column.map { [$0] } ?? [], message: sentence)
    }
}
