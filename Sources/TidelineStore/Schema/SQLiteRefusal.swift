// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import GRDB
import GRDBSQLite
import TidelineSQLite
import TidelineStorage

/// Turns what SQLite, or the store below, reports into the errors of a device's store.
enum SQLiteRefusal {
    static func error(_ code: Int32, _ connection: OpaquePointer?) -> LocalStoreError {
        let last = unsafe connection.map { unsafe sqlite3_extended_errcode($0) } ?? SQLITE_OK
        let words = unsafe connection.flatMap { unsafe sqlite3_errmsg($0) }.map { unsafe String(cString: $0) }
        return error(SQLiteWords.code(code, last: last), words)
    }

    static func error(_ code: Int32, _ words: String?) -> LocalStoreError {
        let message = SQLiteWords.of(code, words)
        return switch code & 0xff {
        case SQLITE_FULL, SQLITE_TOOBIG:
            LocalStoreError(.full, message: "No space is left for the store's file. Nothing was changed.")
        // The file beside it that SQLite needs even for reading cannot grow.
        case SQLITE_IOERR where code == SQLITE_IOERR | (19 << 8):
            LocalStoreError(.full, message: "No space is left beside the store's file. Nothing was changed.")
        case SQLITE_BUSY, SQLITE_LOCKED:
            LocalStoreError(.busy, message: "Another process kept the store's file locked. Try again.")
        case SQLITE_CORRUPT: LocalStoreError(.corrupt, message: "The store's file is damaged: \(message).")
        case SQLITE_NOTADB: LocalStoreError(.foreignFile, message: "The file is no store of Tideline.")
        case SQLITE_CANTOPEN: LocalStoreError(.io, message: "The store's file cannot be opened.")
        case SQLITE_READONLY: LocalStoreError(.io, message: "The store's file cannot be written.")
        case SQLITE_IOERR: LocalStoreError(.io, message: "Reading or writing the store's file failed: \(message).")
        case SQLITE_CONSTRAINT where code == SQLITE_CONSTRAINT | (6 << 8) || code == SQLITE_CONSTRAINT | (10 << 8):
            LocalStoreError(.duplicateKey, message: "An entity with this key exists.")
        case SQLITE_INTERRUPT, SQLITE_ABORT: LocalStoreError(.io, message: "The work was interrupted.")
        default: LocalStoreError(.invalidSQL, message: "SQLite refused: \(message).")
        }
    }

    /// Runs `body`; errors of GRDB and of the store below come out as ``LocalStoreError``, all others as they are.
    static func translated<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let failure as DatabaseError {
            throw error(failure.extendedResultCode.rawValue, failure.message)
        } catch let failure as StorageError {
            throw LocalStoreError(
                code(failure.code),
                set: failure.set,
                properties: failure.properties,
                message: failure.message
            )
        }
    }

    private static func code(_ code: StorageError.Code) -> LocalStoreError.Code {
        switch code {
        case .busy: .busy
        case .full: .full
        case .corrupt, .schemaChanged, .unreadableValue: .corrupt
        case .io: .io
        case .unsupported: .unsupported
        default: .invalidSQL
        }
    }
}
