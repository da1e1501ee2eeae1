// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import Tideline
import TidelineTestSupport

struct UntrackedTests {
    @Test(.covers("DA-06")) func `editing an untracked property is kept, recorded nowhere and sent never`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tideline-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try LocalStore.create(
            path: folder.appending(path: "untracked.tideline").path,
            model: EntityModel(Invoice.self, InvoiceLine.self)
        )
        let day = CalendarDate(daysSinceEpoch: 20_000)
        var invoice = Invoice(number: "AA-1", issued: day, due: day)
        try store.write { tx in try tx.insert(&invoice) }
        let waiting = try store.pendingTransactions()
        try store.freeze(
            waiting.map { FrozenGroup(number: $0.number, requestID: GUID(high: 1, low: 1), bytes: [1]) },
            of: waiting
        )
        invoice.isStarred = true
        #expect(try store.write { tx in try tx.update(invoice) })
        #expect(try store.fetch(Invoice.self, key: invoice.id)?.isStarred == true)
        #expect(try store.pendingTransactions().count == 1)  // The insert, as before.
        invoice.isStarred = false
        invoice.currency = "USD"
        #expect(try store.write { tx in try tx.update(invoice) })
        let pending = try store.pendingTransactions()
        #expect(pending.count == 2)
        let changed = pending[1].changes.flatMap { $0.change.assignments.map(\.property) }
        #expect(changed.map { store.model[set: "Invoices"]?.type.properties[$0].names.wire } == ["Currency"])
        // The same through raw SQL.
        try store.raw { sql in try sql.execute("UPDATE Invoices SET IsStarred = 1") }
        #expect(try store.fetch(Invoice.all).map(\.isStarred) == [true])
        #expect(try store.pendingTransactions().count == 2)
        try store.close()
    }
}
