// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineStorage

/// What the triggers of a table note where SQLite gives the key of a deleted row to a new one.
///
/// A statement that names the key means the row that had it, so that is no reuse: a script that replaces all rows, say.
/// A trigger before the insert sees such a key, and -1 where SQLite is to choose one; it notes which, for the trigger
/// after it. `highest` may be higher than it needs to be: a key that is chosen below it is a new row in any case.
extension CaptureTriggers {
    /// The column of the key, where SQLite may give a value of it twice.
    var reusedKey: String? {
        guard notesReuse, let column = shape.reusedColumn, key == [column] else { return nil }
        return SQLToken.name(column)
    }

    private var own: String { "table_name=\(set)" }

    /// Notes the key of a row that goes, or gets another one.
    ///
    /// - Parameter row: the row after an update, which may have kept its key.
    func freed(unless row: String? = nil) -> [String] {
        guard let column = reusedKey else { return [] }
        let isKept = row.map { " AND \($0).\(column) IS NOT OLD.\(column)" } ?? ""
        return ["UPDATE tideline_keys SET highest=OLD.\(column) WHERE \(own) AND highest<OLD.\(column)\(isKept)"]
    }

    /// Notes the key of a row that REPLACE would remove, where the entry just logged tells of one.
    func freedByReplace(_ unique: TableShape.UniqueIndex) -> [String] {
        guard reusedKey != nil, unique.parts.map(\.column) != [shape.reusedColumn] else { return [] }
        let replaced = "(SELECT CAST(key AS INTEGER) FROM tideline_log WHERE seq=last_insert_rowid())"
        return ["UPDATE tideline_keys SET highest=\(replaced) WHERE changes()>0 AND \(own) AND highest<\(replaced)"]
    }

    /// Notes whether the statement names a key that was given up, or that a row has.
    var named: [String] {
        guard let column = reusedKey else { return [] }
        let named = "nullif(NEW.\(column),-1)"
        return [
            "UPDATE tideline_keys SET named=\(named) WHERE \(own) AND named IS NOT \(named) AND (NEW.\(column)<=highest "
                + "OR EXISTS (SELECT 1 FROM \(table) WHERE \(column)=NEW.\(column)))"
        ]
    }

    /// Notes that SQLite gave a key again, under the number of the entry just logged.
    var reused: [String] {
        guard let column = reusedKey else { return [] }
        let isReused = "NEW.\(column)<=(SELECT highest FROM tideline_keys WHERE \(own) AND named IS NOT NEW.\(column))"
        let row = "\(own) AND key=NEW.\(column)"
        return [
            "UPDATE tideline_reused SET number=last_insert_rowid() WHERE \(row) AND \(isReused)",
            "INSERT INTO tideline_reused(table_name,key,number) SELECT \(set),NEW.\(column),last_insert_rowid() "
                + "WHERE \(isReused) AND NOT EXISTS (SELECT 1 FROM tideline_reused WHERE \(row))",
        ]
    }
}
