// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import GRDB
import GRDBSQLite
import TidelineStorage

/// A table as SQLite knows it: columns, keys and unique indexes.
struct TableShape {
    struct Column {
        var name: String
        /// The type as it was declared, upper-case; may be empty.
        var declaredType: String
        var isNotNull: Bool
        /// The text of the default, or `nil`.
        var defaultText: String?
        /// The place in the primary key, from 1, or 0.
        var keyPlace: Int
        var isGenerated: Bool
    }

    /// A unique index, the one of the primary key of a WITHOUT ROWID or text key included.
    struct UniqueIndex {
        struct Part {
            /// The column, or `nil` for an expression.
            var column: String?
            /// The text of the expression.
            var expression: String?
            var collation: String
        }

        var name: String
        var parts: [Part]
        /// The text of the condition of a partial index.
        var condition: String?
        var isPrimaryKey: Bool
    }

    var name: String
    var columns: [Column]
    var uniqueIndexes: [UniqueIndex]
    var isWithoutRowID: Bool
    var hasAutoincrement: Bool
    /// Whether a constraint says `ON CONFLICT REPLACE`: a plain statement then removes the rows that are in its way.
    var replaces: Bool
    /// The column that is another name of the rowid, or `nil`.
    var rowIDColumn: String?

    /// The columns of the primary key in its order.
    var primaryKey: [String] {
        columns.filter { $0.keyPlace > 0 }.sorted { $0.keyPlace < $1.keyPlace }.map(\.name)
    }

    /// The column whose highest value SQLite gives again once its row is deleted, or `nil` where it never does.
    ///
    /// Source: SQLite, "SQLite Autoincrement".
    var reusedColumn: String? { hasAutoincrement ? nil : rowIDColumn }

    /// A name by which the rowid can be read, or `nil` where columns have taken all three or there is none.
    var rowIDName: String? {
        if isWithoutRowID { return nil }
        return ["rowid", "_rowid_", "oid"].first { name in !columns.contains { $0.name.lowercased() == name } }
    }

    /// Reads the shape of a table or view.
    ///
    /// - Returns: `nil` when there is none of that name.
    init?(_ table: String, in connection: Database) throws {
        let list = try PreparedStatement(
            connection,
            "SELECT name, wr, type FROM pragma_table_list WHERE schema = 'main' AND name = ?"
        )
        list.bind(table, 1)
        guard try list.step() else { return nil }
        name = table
        isWithoutRowID = list.integer(1) == 1
        list.reset()

        columns = []
        let info = try PreparedStatement(
            connection,
            "SELECT name, type, \"notnull\", dflt_value, pk, hidden FROM pragma_table_xinfo(?) WHERE hidden <> 1 ORDER BY cid"
        )
        info.bind(table, 1)
        while try info.step() {
            columns.append(
                Column(
                    name: info.string(0) ?? "",
                    declaredType: (info.string(1) ?? "").uppercased(),
                    isNotNull: info.integer(2) != 0,
                    defaultText: info.string(3),
                    keyPlace: Int(info.integer(4)),
                    isGenerated: info.integer(5) >= 2
                )
            )
        }

        let schema = try PreparedStatement(
            connection,
            "SELECT sql FROM sqlite_schema WHERE name = ? AND type IN ('table', 'view')"
        )
        schema.bind(table, 1)
        let sql = try schema.step() ? schema.string(0) ?? "" : ""
        schema.reset()
        let words = SQLScanner.wordList(of: sql)
        hasAutoincrement = words.contains("AUTOINCREMENT")
        replaces = words.indices.contains { words[$0...].starts(with: ["ON", "CONFLICT", "REPLACE"]) }

        let key = columns.filter { $0.keyPlace > 0 }
        uniqueIndexes = try Self.uniqueIndexes(of: table, in: connection)
        let keyHasIndex = uniqueIndexes.contains { $0.isPrimaryKey }
        rowIDColumn =
            key.count == 1 && key[0].declaredType == "INTEGER" && !isWithoutRowID && !keyHasIndex ? key[0].name : nil
    }

    private static func uniqueIndexes(of table: String, in connection: Database) throws -> [UniqueIndex] {
        var indexes: [UniqueIndex] = []
        let list = try PreparedStatement(
            connection,
            """
            SELECT l.name, l.origin, l.partial, s.sql FROM pragma_index_list(?) AS l
            LEFT JOIN sqlite_schema AS s ON s.type = 'index' AND s.name = l.name
            WHERE l."unique" = 1 ORDER BY l.seq
            """
        )
        list.bind(table, 1)
        while try list.step() {
            var index = UniqueIndex(name: list.string(0) ?? "", parts: [], isPrimaryKey: list.string(1) == "pk")
            let definition = list.string(3).map(SQLScanner.indexDefinition)
            if list.integer(2) != 0 { index.condition = definition?.condition }
            let parts = try PreparedStatement(
                connection,
                "SELECT seqno, cid, name, coll FROM pragma_index_xinfo(?) WHERE \"key\" = 1 ORDER BY seqno"
            )
            parts.bind(index.name, 1)
            while try parts.step() {
                let place = Int(parts.integer(0))
                let isExpression = parts.integer(1) == -2
                let texts = definition?.parts ?? []
                index.parts.append(
                    UniqueIndex.Part(
                        column: isExpression ? nil : parts.string(2),
                        expression: isExpression && place < texts.count ? texts[place] : nil,
                        collation: parts.string(3) ?? "BINARY"
                    )
                )
            }
            indexes.append(index)
        }
        return indexes
    }
}
