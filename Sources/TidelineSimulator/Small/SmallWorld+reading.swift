// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB

extension SmallWorld {
    /// Whether a line is a setting that tells copies of the file, pulls or attempts to send apart, each time another.
    private static func isTellingApart(_ line: String) -> Bool {
        ["nonce|", "pull|", "attempts|"].contains { line.hasPrefix($0) }
    }

    /// Reads what a device has, of files that nobody has open.
    func look(at device: Int) throws -> (SmallDevice, DiskImage) {
        let queue = try DatabaseQueue(path: path(device))
        let content = try queue.read { database in
            var content = SmallDevice(rows: try Self.rows(database))
            for (table, lines) in try Self.tables(database) {
                switch table {
                // What syncs told, by the clock: it decides nothing.
                case "tideline_syncs": continue
                case "tideline_outbox": content.isWaiting = !lines.isEmpty
                case "tideline_quarantine": content.hasQuarantine = !lines.isEmpty
                case "tideline_quarantine_records": content.quarantined = Self.bits(lines)
                case "tideline_conflicts": content.logged = Self.bits(lines)
                default: break
                }
                content.digest.add(table)
                for line in lines where !Self.isTellingApart(line) { content.digest.add(line) }
            }
            return content
        }
        try queue.close()
        return (content, disks[device].image())
    }

    /// Reads what the service has, and gives its log entries a number that was random.
    func lookAtService() throws -> (SmallService, DiskImage) {
        let queue = try DatabaseQueue(path: servicePath)
        let content = try queue.write { database in
            try database.execute(sql: "UPDATE tideline_log SET nonce = 0 WHERE nonce <> 0")
            var content = SmallService(rows: try Self.rows(database))
            for (table, lines) in try Self.tables(database) {
                content.digest.add(table)
                for line in lines { content.digest.add(line) }
            }
            try Self.readHistory(database, &content)
            return content
        }
        try queue.close()
        return (content, serviceDisk.image())
    }

    /// What each row had: the log has what it had before each change.
    private static func readHistory(_ database: Database, _ content: inout SmallService) throws {
        var last: [String: UInt16] = [:]
        func add(_ text: String, _ key: String) {
            let bits = SmallText.bits(in: text)
            defer { last[key] = bits }
            guard bits != 0, last[key] != bits else { return }
            content.hadTwice |= content.had & bits
            content.had |= bits
        }
        for row in try Row.fetchAll(database, sql: "SELECT key, before FROM tideline_log ORDER BY seq") {
            add(row["before"] as String? ?? "", row["key"])
        }
        for (key, text) in content.rows {
            add(text, last.keys.first { $0.contains("'\(key)'") } ?? key)
        }
    }

    private static func rows(_ database: Database) throws -> [String: String] {
        let rows = try Row.fetchAll(database, sql: "SELECT Id, Text FROM Notes")
        return Dictionary(uniqueKeysWithValues: rows.map { ($0[0] as String, $0[1] as String) })
    }

    /// Each table with its rows as text, sorted.
    private static func tables(_ database: Database) throws -> [(String, [String])] {
        let sql = "SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0 ORDER BY name"
        return try String.fetchAll(database, sql: sql).map { name in
            let rows = try Row.fetchAll(database, sql: "SELECT * FROM \"\(name)\"")
            return (name, rows.map { $0.map { text($0.1) }.joined(separator: "|") }.sorted())
        }
    }

    private static func text(_ value: DatabaseValue) -> String {
        switch value.storage {
        case .null: "null"
        case .int64(let number): "\(number)"
        case .double(let number): "\(number)"
        case .string(let text): text
        // Bytes as they are: what is no UTF-8 must not become the same.
        case .blob(let data): String(String.UnicodeScalarView(data.map { Unicode.Scalar($0) }))
        }
    }

    private static func bits(_ lines: [String]) -> UInt16 { lines.reduce(0) { $0 | SmallText.bits(in: $1) } }
}
