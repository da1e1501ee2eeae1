// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import GRDB
import GRDBSQLite
import TidelineStorage

/// What SQLite said when it refused: the extended result code and its message.
struct SQLiteFailure {
    let code: Int32
    let message: String

    /// `connection`: the connection whose last error this is.
    init(code: Int32, connection: OpaquePointer?) {
        let last = unsafe connection.map { unsafe sqlite3_extended_errcode($0) } ?? SQLITE_OK
        self.code = SQLiteWords.code(code, last: last)
        let words = unsafe connection.flatMap { unsafe sqlite3_errmsg($0) }.map { unsafe String(cString: $0) }
        message = SQLiteWords.of(self.code, words)
    }

    init(_ error: DatabaseError) {
        code = error.extendedResultCode.rawValue
        message = SQLiteWords.of(code, error.message)
    }

    /// What of I/O errors is of writing: `SQLITE_IOERR_WRITE`, `_FSYNC`, `_DIR_FSYNC`, `_TRUNCATE` and `_SHMSIZE`.
    ///
    /// Source: SQLite, "Result and Error Codes", extended codes.
    private static let writing: Set<Int32> = [3, 4, 5, 6, 19]

    /// The error of the store, with tables and columns by their names in the database as far as the message tells.
    ///
    /// Messages of SQLite name tables, columns and indexes but no values, except what a trigger raises: that text is
    /// the database owner's own.
    var storageError: StorageError {
        switch code & 0xff {
        case SQLITE_CONSTRAINT: constraint
        case SQLITE_BUSY, SQLITE_LOCKED: StorageError(.busy, message: "The database stayed locked by another writer.")
        case SQLITE_INTERRUPT: StorageError(.timeout, message: "The statement took longer than the store allows.")
        case SQLITE_FULL: StorageError(.full, message: "The database or the disk is full.")
        case SQLITE_CORRUPT: StorageError(.corrupt, message: "The database file is damaged: \(message).")
        case SQLITE_NOTADB: StorageError(.corrupt, message: "The file is not an SQLite database.")
        case SQLITE_IOERR where code == SQLITE_IOERR | (12 << 8):
            StorageError(.full, message: "No memory for the database.")
        // A quota, a limit of the process, a device that fails: of the disk, and not of what is written.
        case SQLITE_IOERR where Self.writing.contains(code >> 8):
            StorageError(.unavailable, message: "The database cannot be written: \(message).")
        case SQLITE_IOERR, SQLITE_PERM, SQLITE_AUTH, SQLITE_NOLFS:
            StorageError(.io, message: "Reading or writing the database failed: \(message).")
        case SQLITE_CANTOPEN: StorageError(.io, message: "The database file cannot be opened.")
        case SQLITE_READONLY: StorageError(.unavailable, message: "The database cannot be written: \(message).")
        case SQLITE_TOOBIG: StorageError(.invalidValue, message: "A value is too large for the database.")
        case SQLITE_SCHEMA: StorageError(.schemaChanged, message: "The tables were changed meanwhile.")
        case SQLITE_ERROR
        where message.hasPrefix("no such table") || message.hasPrefix("no such column")
            || message.contains("has no column named"):
            StorageError(.schemaChanged, message: "The tables no longer fit the model: \(message).")
        // The parser's stack is finite, and so is the depth of an expression.
        case SQLITE_ERROR
        where message.hasPrefix("parser stack overflow") || message.hasPrefix("Expression tree is too large"):
            StorageError(.tooComplex, message: "The query is nested too deep for SQLite.")
        default: StorageError(.io, message: "SQLite refused (code \(code)): \(message).")
        }
    }

    /// The error of a statement that changes one row.
    ///
    /// What a trigger, a CHECK or a computed column cannot reckon for that row, it cannot the next time either: the row is
    /// refused, and nothing waits for a server that is well.
    var rowError: StorageError {
        let error = storageError
        guard code & 0xff == SQLITE_ERROR, error.code == .io else { return error }
        return StorageError(.constraint, message: "The database cannot take the row: \(message).")
    }

    private var constraint: StorageError {
        switch code {
        case SQLITE_CONSTRAINT | (6 << 8), SQLITE_CONSTRAINT | (10 << 8):
            places(.duplicateKey, "An entity with this key exists.")
        case SQLITE_CONSTRAINT | (8 << 8):
            places(.duplicateValue, "Another entity has this value.")
        case SQLITE_CONSTRAINT | (5 << 8):
            places(.nullValue, "A value is missing.")
        // ON DELETE RESTRICT is a trigger of SQLite's own.
        case SQLITE_CONSTRAINT | (3 << 8),
            SQLITE_CONSTRAINT | (7 << 8) where message == "FOREIGN KEY constraint failed":
            StorageError(
                .missingReference,
                message: "A referenced entity does not exist, or this entity is still referred to."
            )
        case SQLITE_CONSTRAINT | (7 << 8):
            StorageError(raised: message, orElse: "A trigger refused the change.")
        case SQLITE_CONSTRAINT | (12 << 8):
            StorageError(.constraint, message: "A value has the wrong type for its column.")
        default:
            StorageError(.constraint, message: "A check of the database refused the change.")
        }
    }

    /// Takes `table.column, table.column` out of a message such as `UNIQUE constraint failed: orders.number`.
    private func places(_ code: StorageError.Code, _ sentence: String) -> StorageError {
        guard let colon = message.firstRange(of: "failed: ") else { return StorageError(code, message: sentence) }
        let list = message[colon.upperBound...]
        guard !list.hasPrefix("index '") else { return StorageError(code, message: sentence) }
        var table: String?
        var columns: [String] = []
        for part in list.split(separator: ", ") {
            let halves = part.split(separator: ".", maxSplits: 1)
            guard halves.count == 2 else { continue }
            table = String(halves[0])
            columns.append(String(halves[1]))
        }
        return StorageError(code, set: table, properties: columns, message: sentence)
    }
}
