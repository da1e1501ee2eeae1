// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import GRDB
import Testing
import TidelineModel
import TidelineStorage

@testable import TidelineSQLite

/// What a device sends costs the same however long the log is, and however many devices there are.
struct StatementPlanTests {
    /// What grows with each transaction, or with each device, and the names that statements give to it.
    private static let tables = [
        "notes", "tideline_log", "tideline_authors", "tideline_answers", "tideline_clients", "t", "l", "a",
    ]
    /// Asks for the last row in the order of the table, and reads no other.
    private static let newest = "SELECT seq, nonce FROM tideline_log ORDER BY seq DESC LIMIT 1"

    /// The parts of plans that read one of the tables, or an index of it, from end to end.
    ///
    /// The plan of a statement does not tell those of the triggers that it runs.
    private func scans(_ statements: Set<String>, _ scratch: Scratch) throws -> [String] {
        try DatabaseQueue(path: scratch.path).read { connection in
            try statements.subtracting([Self.newest]).sorted().flatMap { sql in
                let plan = try connection.makeStatement(sql: "EXPLAIN QUERY PLAN \(sql)")
                plan.setUncheckedArguments([])
                return try Row.fetchAll(plan).compactMap { row in
                    let detail: String = row["detail"]
                    let words = detail.split(separator: " ").map(String.init)
                    let isScan = words.first == "SCAN" && words.dropFirst().contains(where: Self.tables.contains)
                    return isScan && !words.contains("VIRTUAL") ? "\(detail): \(sql)" : nil
                }
            }
        }
    }

    /// The statements that ran, but for those that begin and end transactions.
    private final class Ran {
        private(set) var statements: Set<String> = []

        func watch(_ writer: any StoreWriter) throws {
            try #require(writer as? SQLiteWriter).connection.trace { [self] event in
                guard case .statement(let statement) = event else { return }
                let word = statement.sql.prefix { $0.isLetter }
                if ["SELECT", "INSERT", "UPDATE", "DELETE"].contains(word) { statements.insert(statement.sql) }
            }
        }
    }

    @Test func `a transaction of a device, and the end of old entries, read nothing from end to end that grows`() throws
    {
        let scratch = try Scratch("CREATE TABLE notes(id INTEGER PRIMARY KEY, title TEXT UNIQUE)")
        let store = try scratch.store()
        let notes = try #require(store.model[set: "notes"])
        let ran = Ran()
        for number in 1...3 as ClosedRange<Int64> {
            try store.write { writer in
                try ran.watch(writer)
                #expect(try writer.mark(client: "c")?.transaction == (number == 1 ? nil : number - 1))
                #expect(try writer.answer(client: "c", request: "r\(number)") == nil)
                let start = try writer.position()
                let key = try writer.insert([1: .string("\(number)")], into: notes)
                #expect(try writer.update(key, [1: .string("title \(number)")], in: notes))
                #expect(try writer.delete(Key([.integer(number - 1)]), in: notes) == (number > 1))
                try writer.setAuthor("c", since: start)
                #expect(try !writer.isChanged(key, in: notes, since: start, exceptBy: "c"))
                try writer.forgetAnswers(client: "c", through: number - 2)
                try writer.forgetAnswers(olderThan: 60)
                let answer = KeptAnswer(transaction: number, requestHash: [1], bytes: [2])
                try writer.keep(answer, client: "c", request: "r\(number)")
                try writer.setMark(ClientMark(user: nil, transaction: number), client: "c")
            }
        }
        #expect(try store.compact(LogRetention(entries: 1), now: 0, limit: .max).removed == 7)
        #expect(try scratch.rows("SELECT previous, last, client FROM tideline_authors") == ["5|8|c"])
        #expect(ran.statements.count > 10)
        #expect(ran.statements.contains { $0.contains("INTO tideline_authors") })
        let found = try scans(ran.statements, scratch)
        #expect(found == [])
    }
}
