// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import GRDB
import Testing
import TidelineStorage

@testable import TidelineSQLite

struct SQLiteFailureTests {
    /// A file-size limit fails the write of a backup, of which the connection itself knows nothing.
    @Test(
        arguments: [
            (10, "not an error", "disk I/O error"), (266, "not an error", "disk I/O error"),
            (266, "", "disk I/O error"),
            (23, "not an error", "authorization denied"), (10, "no more rows available", "disk I/O error"),
            (10, "the disk is on fire", "the disk is on fire"),
        ] as [(Int32, String, String)]
    )
    func `a failure is told by its code where the message says that nothing failed`(
        code: Int32,
        message: String,
        words: String
    ) {
        let failure = SQLiteFailure(DatabaseError(resultCode: ResultCode(rawValue: code), message: message))
        #expect(failure.code == code)
        #expect(
            failure.storageError == StorageError(.io, message: "Reading or writing the database failed: \(words).")
        )
    }

    /// `SQLITE_IOERR_WRITE`, `_FSYNC`, `_DIR_FSYNC`, `_TRUNCATE`, `_SHMSIZE`: 10 and 256 times 3, 4, 5, 6, 19.
    @Test(arguments: [778, 1034, 1290, 1546, 4874] as [Int32])
    func `a disk that takes no writes is no fault of what is written`(code: Int32) {
        let failure = SQLiteFailure(DatabaseError(resultCode: ResultCode(rawValue: code), message: "not an error"))
        #expect(
            failure.storageError
                == StorageError(.unavailable, message: "The database cannot be written: disk I/O error.")
        )
    }

    @Test func `a code that the connection has forgotten is the one that the call gave`() throws {
        let failure = try DatabaseQueue().read { unsafe SQLiteFailure(code: 778, connection: $0.sqliteConnection) }
        #expect(failure.code == 778)
        #expect(failure.message == "disk I/O error")
    }
}
