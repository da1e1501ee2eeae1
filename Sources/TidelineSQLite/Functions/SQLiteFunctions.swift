// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import GRDBSQLite
import TidelineModel
import TidelineStorage

/// The functions and the collation that compiled SQL needs on every connection.
///
/// Their bodies are those of the evaluator in memory, so the two cannot differ.
package enum SQLiteFunctions {
    /// Registers `tideline_…` and the collation `tideline_decimal` on a connection, before its first statement.
    ///
    /// - Parameter connection: the `sqlite3*` handle.
    /// - Throws: ``TidelineStorage/StorageError`` when SQLite has no memory for them.
    package static func register(on connection: OpaquePointer) throws {
        let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS
        for (place, function) in SQLFunction.allCases.enumerated() {
            // The place in the list travels as the application pointer, so that one callback serves all.
            let code = unsafe sqlite3_create_function_v2(
                connection,
                "tideline_" + function.rawValue,
                -1,
                flags,
                UnsafeMutableRawPointer(bitPattern: place + 1),
                callback,
                nil,
                nil,
                nil
            )
            guard code == SQLITE_OK else { throw failure(code) }
        }
        let aggregates = unsafe SQLiteAggregates.register(on: connection)
        guard aggregates == SQLITE_OK else { throw failure(aggregates) }
        let code = unsafe sqlite3_create_collation_v2(
            connection,
            "tideline_decimal",
            SQLITE_UTF8,
            nil,
            compareDecimals,
            nil
        )
        guard code == SQLITE_OK else { throw failure(code) }
    }

    private static func failure(_ code: Int32) -> StorageError {
        StorageError(.io, message: "SQLite refused a function of Tideline with code \(code).")
    }

    private static let callback: @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void =
        { context, count, values in
            guard let context = unsafe context else { return }
            let place = unsafe Int(bitPattern: sqlite3_user_data(context)) - 1
            let call = unsafe SQLiteCall(context: context, count: Int(count), values: values)
            guard SQLFunction.allCases.indices.contains(place) else { return }
            SQLFunction.allCases[place].run(call)
        }

    /// By number; texts that are no decimals after all that are, by their bytes.
    private static let compareDecimals:
        @convention(c) (UnsafeMutableRawPointer?, Int32, UnsafeRawPointer?, Int32, UnsafeRawPointer?) -> Int32 =
            { _, leftCount, left, rightCount, right in
                let left = unsafe UnsafeRawBufferPointer(start: left, count: Int(leftCount))
                let right = unsafe UnsafeRawBufferPointer(start: right, count: Int(rightCount))
                switch unsafe (EdmDecimal(utf8: left), EdmDecimal(utf8: right)) {
                case (let first?, let second?): return Int32(EdmDecimal.compare(first, second))
                case (_?, nil): return -1
                case (nil, _?): return 1
                case (nil, nil):
                    if unsafe left.elementsEqual(right) { return 0 }
                    return unsafe left.lexicographicallyPrecedes(right) ? -1 : 1
                }
            }
}
