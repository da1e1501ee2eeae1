// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// What ``LocalStore/check()`` found.
public struct StoreCheck: Hashable, Sendable {
    /// A sentence for each thing that is wrong, without a value of any entity; empty for a sound file.
    public var problems: [String]

    /// Whether nothing is wrong.
    public var isSound: Bool { problems.isEmpty }
}

extension LocalStore {
    /// Looks whether the file is whole: SQLite's own check, then the tables of the model, and the store's records, each
    /// of which is read.
    ///
    /// Reads every page: a second for some hundred megabytes. Writes go on meanwhile.
    @_disfavoredOverload
    public func check() throws -> StoreCheck {
        try reading { connection in
            var check = StoreCheck(problems: [])
            for line in try connection.query("PRAGMA main.integrity_check(20)", { _ in }, { $0.string(0) ?? "" })
            where line != "ok" {
                check.problems.append("SQLite: \(line).")
            }
            guard check.isSound else { return check }
            let inspection = Inspection(connection: connection)
            check.problems += try inspection.tables() + inspection.records()
            return check
        }
    }

    /// Looks whether the file is whole, on a thread of the store.
    public func check() async throws -> StoreCheck { try await onThread { try self.check() } }
}

/// The look at the tables and records of one file.
private struct Inspection {
    let connection: Connection

    func tables() throws -> [String] {
        try connection.layout.sets.flatMap { set -> [String] in
            let columns = Set(
                try connection.query("SELECT name FROM pragma_table_info(?)", { $0.text(set.name) }) {
                    ($0.string(0) ?? "").lowercased()
                }
            )
            guard !columns.isEmpty else { return ["The table of '\(set.name)' is missing."] }
            return set.columns.map(\.property.names.wire).filter { !columns.contains($0.lowercased()) }.map {
                "The table of '\(set.name)' has no column '\($0)'."
            }
        }
    }

    func records() throws -> [String] {
        var problems: [String] = []
        func look(_ what: String, _ body: () throws -> Void) {
            do { try body() } catch { problems.append("\(what): \(error)") }
        }
        let identifiers = ["client_id", "nonce"]
        for name in identifiers where try connection.meta(name) == nil {
            problems.append("The store has no '\(name)'.")
        }
        look("Outbox") { _ = try LocalStore.waitingChanges(connection) }
        look("Values last seen from the server") {
            let effects = try ServerEffects(connection)
            for identity in effects.dirty { _ = try effects.base(identity) }
        }
        look("Conflict log") {
            let rows = try connection.query("SELECT set_name, record FROM main.tideline_conflicts") {
                ($0.string(0) ?? "", $0.bytes(1))
            }
            for (name, record) in rows { _ = try ConflictRecord.decode(record, connection.layout.set(name)) }
        }
        let lost = try connection.integer(
            """
            SELECT COUNT(*) FROM main.tideline_sent WHERE number NOT IN (SELECT number FROM main.tideline_outbox)
            """
        )
        if lost > 0 { problems.append("\(lost) sent transactions have no changes in the outbox.") }
        return problems
    }
}
