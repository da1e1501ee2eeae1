// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import GRDB
import GRDBSQLite
import TidelineModel

/// One SQLite connection with its compiled statements.
///
/// Only for the thread that has the connection.
final class Connection {
    let database: Database
    let layout: StoreLayout
    private var statements: [String: Statement] = [:]
    /// The statements that the connection itself keeps compiled beyond this use of it.
    private let known: KnownStatements?
    private let scratch = PackedBuffer()
    private var isDurable: Bool?
    /// The names of the collations that the connection knows.
    var collations: Set<String> = []

    init(_ database: Database, _ layout: StoreLayout, known: KnownStatements? = nil) {
        self.database = database
        self.layout = layout
        self.known = known
    }

    /// The compiled statement of that text; a new one where that one is running.
    func statement(_ sql: String) throws -> Statement {
        if let known = statements[sql], unsafe sqlite3_stmt_busy(known.handle) == 0 { return known }
        // Not a second time in one use: the kept one is running then.
        let isKept = statements[sql] == nil && keeps(sql)
        let new = isKept ? try Statement(keptBy: database, sql) : try Statement(database, sql)
        statements[sql] = new
        return new
    }

    /// Whether the connection itself keeps the statement of that text compiled.
    func keeps(_ sql: String) -> Bool { known?.keeps(sql) ?? false }

    /// Chooses whether commits reach the disk before they return.
    func setDurable(_ isDurable: Bool) throws {
        guard isDurable != self.isDurable else { return }
        try run("PRAGMA synchronous = \(isDurable ? "FULL" : "NORMAL")")
        self.isDurable = isDurable
    }

    /// Whether a transaction is open.
    var isInTransaction: Bool { unsafe sqlite3_get_autocommit(database.sqliteConnection) == 0 }

    /// Refuses to go on after SQLite rolled the transaction back itself: a full disk, an I/O error, an interruption.
    ///
    /// Each later statement would be a transaction of its own then, without an outbox.
    func checkTransaction() throws {
        guard !isInTransaction else { return }
        throw LocalStoreError(.io, message: "The transaction was rolled back after an error; nothing of it was kept.")
    }

    /// Runs `body`, which only reads, in one snapshot of the file: that of its first read.
    func inSnapshot<Result>(_ body: () throws -> Result) throws -> Result {
        try run("BEGIN")
        defer {
            // Its end changes nothing; what was interrupted must end all the same.
            if (try? run("COMMIT")) == nil, isInTransaction { _ = try? run("ROLLBACK") }
        }
        return try body()
    }

    /// Forgets the compiled statements, before tables are renamed.
    func forgetStatements() { statements.removeAll() }

    /// Runs one statement.
    ///
    /// - Parameter bind: appends the values of the parameters.
    /// - Returns: the rows changed.
    @discardableResult
    func run(_ sql: String, _ bind: (PackedBuffer) throws -> Void = { _ in }) throws -> Int {
        let statement = try statement(sql)
        try prepare(statement, bind)
        try statement.run()
        return statement.changes
    }

    /// The rows of one statement.
    ///
    /// `read` runs no other statement.
    func query<Row>(
        _ sql: String,
        _ bind: (PackedBuffer) throws -> Void = { _ in },
        _ read: (Statement) throws -> Row
    ) throws -> [Row] {
        let statement = try statement(sql)
        try prepare(statement, bind)
        defer { statement.reset() }
        var rows: [Row] = []
        while try statement.step() { rows.append(try read(statement)) }
        return rows
    }

    /// Whether a statement has a row.
    func exists(_ sql: String, _ bind: (PackedBuffer) throws -> Void) throws -> Bool {
        let statement = try statement(sql)
        try prepare(statement, bind)
        defer { statement.reset() }
        return try statement.step()
    }

    func integer(_ sql: String) throws -> Int64 { try query(sql) { $0.integer(0) }.first ?? 0 }

    /// The number that a PRAGMA tells.
    static func pragma(_ name: String, _ database: Database) throws -> Int64 {
        let statement = try Statement(database, "PRAGMA main.\(name)")
        return try statement.step() ? statement.integer(0) : 0
    }

    private func prepare(_ statement: Statement, _ bind: (PackedBuffer) throws -> Void) throws {
        scratch.removeAll()
        try bind(scratch)
        var reader = scratch.reader()
        var index: Int32 = 1
        while !reader.isAtEnd {
            unsafe reader.bind(statement.handle, index)
            index += 1
        }
    }
}

// MARK: - Rows of entity tables

/// A row of an entity table.
struct StoredRow: Hashable {
    var values: [Value]
    /// The version last seen from the server.
    var etag: String?
    /// The properties whose null stands for a value of the server that is none of their type.
    var unread: Set<Int> = []
    /// The properties that the server has of the row, where it has no others than the device; `nil` where that is not known,
    /// as of a row that a pull brought.
    var served: Set<Int>?
}

extension Connection {
    /// The row of a key, or `nil`.
    func row(_ set: SetLayout, _ key: [Value]) throws -> StoredRow? {
        try query(set.selectSQL, { append(key, set.key, set, to: $0) }) { try Connection.row($0, set) }.first
    }

    /// The row of a key in the table of loaded rows, which is there, or `nil`.
    func loadedRow(_ set: SetLayout, _ key: [Value]) throws -> StoredRow? {
        let sql =
            "SELECT \(set.list(set.columns.indices)), tideline_etag FROM main.\(set.loadTable) "
            + "WHERE \(set.matches(set.key))"
        return try query(sql, { append(key, set.key, set, to: $0) }) { try Connection.row($0, set) }.first
    }

    static func row(_ statement: Statement, _ set: SetLayout) throws -> StoredRow {
        let values = try set.columns.map { try $0.value(statement.value(Int32($0.place))) }
        return StoredRow(values: values, etag: statement.string(Int32(set.columns.count)))
    }

    /// Appends values of the properties at `places`.
    func append(_ values: [Value], _ places: [Int], _ set: SetLayout, to buffer: PackedBuffer) {
        for (place, value) in zip(places, values) { set.columns[place].append(value, to: buffer) }
    }

    /// Stores a whole row in place of what is there.
    func put(_ row: StoredRow, _ set: SetLayout) throws {
        let key = set.key.map { row.values[$0] }
        let updated = try run(set.updateSQL) { buffer in
            for (column, value) in zip(set.columns, row.values) { column.append(value, to: buffer) }
            if let etag = row.etag { buffer.text(etag) } else { buffer.null() }
            append(key, set.key, set, to: buffer)
        }
        if updated == 0 { try insert(row, set) }
    }

    /// Stores a whole row whose key is not there.
    func insert(_ row: StoredRow, _ set: SetLayout) throws {
        let marks = set.columns.map { _ in "?" }.joined(separator: ", ")
        let sql =
            "INSERT INTO main.\(set.table) (\(set.list(set.columns.indices)), tideline_etag) VALUES (\(marks), ?)"
        try run(sql) { buffer in
            for (column, value) in zip(set.columns, row.values) { column.append(value, to: buffer) }
            if let etag = row.etag { buffer.text(etag) } else { buffer.null() }
        }
    }

    @discardableResult
    func remove(_ set: SetLayout, _ key: [Value]) throws -> Bool {
        try run(set.deleteSQL) { append(key, set.key, set, to: $0) } > 0
    }

    /// The rows whose properties at `places` have these values.
    func rows(_ set: SetLayout, where places: [Int], are values: [Value]) throws -> [StoredRow] {
        let sql =
            "SELECT \(set.list(set.columns.indices)), tideline_etag FROM main.\(set.table) WHERE \(set.matches(places))"
        return try query(sql, { append(values, places, set, to: $0) }) { try Connection.row($0, set) }
    }
}

// MARK: - Settings of the file

extension Connection {
    func meta(_ name: String) throws -> String? {
        try query("SELECT value FROM main.tideline_meta WHERE name = ?", { $0.text(name) }) { $0.string(0) }.first
            ?? nil
    }

    /// All settings of the file, where several are asked for.
    func metas() throws -> [String: String] {
        let rows = try query("SELECT name, value FROM main.tideline_meta") { ($0.string(0) ?? "", $0.string(1)) }
        return Dictionary(rows.compactMap { row in row.1.map { (row.0, $0) } }, uniquingKeysWith: { first, _ in first })
    }

    func setMeta(_ name: String, _ value: String?) throws {
        if let value {
            try run("INSERT OR REPLACE INTO main.tideline_meta (name, value) VALUES (?, ?)") {
                $0.text(name)
                $0.text(value)
            }
        } else {
            try run("DELETE FROM main.tideline_meta WHERE name = ?") { $0.text(name) }
        }
    }

    func number(_ name: String) throws -> Int64 { Int64(try meta(name) ?? "0") ?? 0 }

    func numbers(_ name: String) throws -> [Int64] {
        (try meta(name) ?? "").split(separator: " ").compactMap { Int64($0) }
    }

    func setNumbers(_ name: String, _ numbers: [Int64]) throws {
        try setMeta(name, numbers.isEmpty ? nil : numbers.map(String.init).joined(separator: " "))
    }

    func setNumber(_ name: String, _ value: Int64) throws { try setMeta(name, String(value)) }
}
