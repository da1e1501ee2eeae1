// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// What somebody does on a device of a small search, in a transaction of its own.
struct SmallWrite: Hashable, Sendable, CustomStringConvertible {
    enum Operation: UInt8, Sendable {
        case insert, update, delete
    }

    let operation: Operation
    /// Which of the rows, from zero.
    let row: Int

    /// The keys of the rows: the first is there in the beginning, the second is not.
    static let keys = ["r", "x"]

    var key: String { Self.keys[row] }

    /// Those that make sense where a device has these rows.
    static func choices(_ rows: [String: String]) -> [SmallWrite] {
        keys.indices.flatMap { row in
            let operations: [Operation] = rows[keys[row]] == nil ? [.insert] : [.update, .delete]
            return operations.map { SmallWrite(operation: $0, row: row) }
        }
    }

    var description: String {
        switch operation {
        case .insert: "inserts \(key)"
        case .update: "updates \(key)"
        case .delete: "deletes \(key)"
        }
    }
}
