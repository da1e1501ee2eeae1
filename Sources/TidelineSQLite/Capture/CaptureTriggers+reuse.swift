// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineStorage

/// What the triggers of a table note where SQLite gives the key of a deleted row to a new one.
///
/// A statement that names the key itself means the row that had it: it is no reuse. A trigger before the insert sees such
/// a key, and -1 where SQLite is to choose one; it logs the key's `I` early, and so the trigger after it finds that
/// in the place of the deletion.
extension CaptureTriggers {
    /// The column of the key, where SQLite may give a value of it twice.
    var reusedKey: String? {
        guard notesReuse, let column = shape.reusedColumn, key == [column] else { return nil }
        return SQLToken.name(column)
    }

    /// Notes the highest key that was given up.
    ///
    /// - Parameter row: the row after an update, which may have kept its key.
    func freed(unless row: String? = nil) -> [String] {
        guard let column = reusedKey else { return [] }
        let isKept = row.map { " AND \($0).\(column) IS NOT OLD.\(column)" } ?? ""
        return [
            "UPDATE tideline_keys SET highest=OLD.\(column) WHERE table_name=\(set) AND highest<OLD.\(column)\(isKept)"
        ]
    }

    /// Logs a key that was given up and that a statement names.
    var givenAgain: [String] {
        guard let column = reusedKey else { return [] }
        return [
            "INSERT INTO tideline_log(set_name,key,operation,before) SELECT \(set),\(keyText("NEW")),'I',NULL "
                + "WHERE NEW.\(column)>0 AND \(isFree(column, ""))"
        ]
    }

    /// Notes that a key was given again, under the number of the entry just logged.
    var reused: [String] {
        guard let column = reusedKey else { return [] }
        let isReused = isFree(column, " AND seq<last_insert_rowid()")
        let row = "table_name=\(set) AND key=NEW.\(column)"
        return [
            "UPDATE tideline_reused SET number=last_insert_rowid() WHERE \(row) AND \(isReused)",
            "INSERT INTO tideline_reused(table_name,key,number) SELECT \(set),NEW.\(column),last_insert_rowid() "
                + "WHERE \(isReused) AND NOT EXISTS (SELECT 1 FROM tideline_reused WHERE \(row))",
        ]
    }

    /// Whether a row had the key of the new one and gave it up: its last entry says so, or is compacted away.
    private func isFree(_ column: String, _ before: String) -> String {
        "NEW.\(column)<=(SELECT highest FROM tideline_keys WHERE table_name=\(set)) "
            + "AND coalesce((SELECT operation FROM tideline_log WHERE set_name=\(set) AND key=\(keyText("NEW"))\(before) "
            + "ORDER BY seq DESC LIMIT 1),'D') IN ('D','U')"
    }
}
