// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import Tideline
import TidelineModel
import TidelineTestSupport

/// Predicates over the many of a `@HasMany`, as expressions and on a real store file.
struct RelatedTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "tideline-\(UUID())")
    private static let day = CalendarDate(daysSinceEpoch: 20_000)

    /// A store with four invoices: 5 and 7 EUR; 20 EUR; none; 1 EUR and a text without an amount above 1.
    private func store() throws -> LocalStore {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let store = try LocalStore.create(
            path: folder.appending(path: "invoices.tideline").path,
            model: EntityModel(Invoice.self, InvoiceLine.self)
        )
        let amounts: [(String, [EdmDecimal])] = [("AA-1", [5, 7]), ("AA-2", [20]), ("AA-3", []), ("BB-4", [1])]
        try store.write { tx in
            for (number, lines) in amounts {
                var invoice = Invoice(number: number, issued: Self.day, due: Self.day)
                try tx.insert(&invoice)
                for amount in lines { try tx.insert(InvoiceLine(amount: amount, invoiceId: invoice.id)) }
            }
        }
        return store
    }

    private func numbers(_ store: LocalStore, _ predicate: (Invoice.Columns) -> Condition) throws -> [String] {
        try store.fetch(Invoice.where(predicate).sorted { $0.number }).map(\.number)
    }

    @Test func `any, all, count and isEmpty choose the entities`() throws {
        let store = try store()
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(try numbers(store) { $0.lines.any { $0.amount > 5 } } == ["AA-1", "AA-2"])
        #expect(try numbers(store) { $0.lines.all { $0.amount < 6 } } == ["AA-3", "BB-4"])
        #expect(try numbers(store) { $0.lines.count == 2 } == ["AA-1"])
        #expect(try numbers(store) { $0.lines.count(where: { $0.amount > 5 }) == 1 } == ["AA-1", "AA-2"])
        #expect(try numbers(store) { $0.lines.isEmpty } == ["AA-3"])
        #expect(try numbers(store) { !$0.lines.isEmpty && $0.number.hasPrefix("B") } == ["BB-4"])
        try store.close()
    }

    @Test func `a condition of the many may name the one, at every depth`() throws {
        let store = try store()
        defer { try? FileManager.default.removeItem(at: folder) }
        // The only invoice with a line that is greater than another of its lines.
        let found = try numbers(store) { invoice in
            invoice.lines.any { line in
                line.invoice.lines.any { other in other.amount < line.amount && invoice.number == "AA-1" }
            }
        }
        #expect(found == ["AA-1"])
        try store.close()
    }

    @Test func `lambdas have a variable for each level`() {
        let query = Invoice.where { $0.lines.any { line in line.invoice.lines.all { $0.amount > line.amount } } }
        let inner = TidelineModel.Expression.lambda(
            .all,
            over: ["_1", "Invoice", "Lines"],
            variable: "_2",
            .binary(.greaterThan, .path(["_2", "Amount"]), .path(["_1", "Amount"]))
        )
        #expect(query.filter == .lambda(.any, over: ["Lines"], variable: "_1", inner))
    }

    @Test func `aggregates are values of the one`() {
        let columns = Invoice.Columns(navigationPath: [])
        func aggregate(_ method: AggregateMethod) -> TidelineModel.Expression {
            .aggregate(over: ["Lines"], [AggregateItem(.expression(.path(["Amount"])), with: method)])
        }
        #expect(columns.lines.sum { $0.amount }.expression == aggregate(.sum))
        #expect(columns.lines.min { $0.amount }.expression == aggregate(.min))
        #expect(columns.lines.max { $0.amount }.expression == aggregate(.max))
        #expect(columns.lines.average { $0.amount }.expression == aggregate(.average))
    }

    @Test func `an aggregate orders the entities`() throws {
        let store = try store()
        defer { try? FileManager.default.removeItem(at: folder) }
        let query = Invoice.where { !$0.lines.isEmpty }.sorted(descending: true) { $0.lines.sum { $0.amount } }
        #expect(try store.fetch(query).map(\.number) == ["AA-2", "AA-1", "BB-4"])
        try store.close()
    }

    @Test(.covers("SB-F067")) func `the foreign key of a relationship has an index in the file`() throws {
        let store = try store()
        defer { try? FileManager.default.removeItem(at: folder) }
        let columns = try store.raw { sql in
            try sql.rows(
                """
                SELECT info.name FROM pragma_index_list('InvoiceLines') AS list, pragma_index_info(list.name) AS info
                """
            )
        }
        #expect(columns == [[.string("InvoiceId")]])
        #expect(store.model[set: "Invoices"]?.type.rules.map(\.name) == ["Dates", "Lines"])
        try store.close()
    }

    @Test func `deleting the one deletes the many by its rule`() throws {
        let store = try store()
        defer { try? FileManager.default.removeItem(at: folder) }
        let first = try #require(try store.first(Invoice.where { $0.number == "AA-1" }))
        try store.write { tx in _ = try tx.delete(first) }
        #expect(try store.fetch(InvoiceLine.all.sorted { $0.amount }).map(\.amount) == [1, 20])
        try store.close()
    }
}
