// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineStorage
import TidelineStore
import TidelineSync

/// Deletions that wait while the model of the service changes: rows have other versions then, though nobody changed them.
///
/// Each table is made anew, so that the service's log of changes does not reach back to what the device knew.
struct ChangedVersionTests {
    private static let columns = #""Id" int NOT NULL PRIMARY KEY, "Old" varchar(80), "Text" varchar(80), "Amount" int"#
    private static let rows = "(1, 'o1', 'one', 5), (2, 'o2', 'two', 6)"

    /// The columns of before without one, and with another type of one; the values are those of before.
    private static let forms: [(columns: String, rows: String)] = [
        (#""Id" int NOT NULL PRIMARY KEY, "Text" varchar(80), "Amount" int"#, "(1, 'one', 5), (2, 'two', 6)"),
        (columns.replacing(#""Amount" int"#, with: #""Amount" numeric(10, 0)"#), rows),
    ]

    private static func table(_ columns: String, _ rows: String) -> String {
        "CREATE TABLE \"Notes\" (\(columns)); INSERT INTO \"Notes\" VALUES \(rows);"
    }

    /// A device, and the domain in which Notes was made anew meanwhile.
    private func remade(
        _ kind: ChangingDomain.Kind,
        _ columns: String,
        _ rows: String
    ) async throws -> (domain: ChangingDomain, device: Device) {
        let domain = try ChangingDomain(kind, Self.table(Self.columns, Self.rows))
        let device = try await domain.device("a")
        try domain.run("DROP TABLE \"Notes\";" + Self.table(columns, rows))
        try domain.publishAgain()
        return (domain, device)
    }

    @Test(arguments: ChangingDomain.Kind.allCases, forms)
    func `a row that nobody changed is deleted, and one that another changed stays`(
        kind: ChangingDomain.Kind,
        form: (columns: String, rows: String)
    ) async throws {
        let (domain, device) = try await remade(kind, form.columns, form.rows)
        try domain.run(#"UPDATE "Notes" SET "Text" = 'zwei' WHERE "Id" = 2"#)
        try await device.delete(.integer(1), in: "Notes")
        try await device.delete(.integer(2), in: "Notes")
        let report = try await device.sync()
        #expect(report.sent == 1 && report.conflicts == 1 && report.quarantined == 0)
        #expect(try domain.rows("Notes", "Id", "Text") == ["2|zwei"])
        #expect(try device.rows("Notes").map { $0["Text"] } == [.string("zwei")])
        let lost = try device.store.conflicts()
        #expect(lost.map(\.kind) == [.deletedHere] && lost.map(\.key) == [Key([.integer(2)])])
        #expect(lost.flatMap(\.properties).contains { $0.name == "Text" && $0.theirs == .string("zwei") })
        #expect(try device.store.status().pendingTransactions == 0)
        // On the service, too, the first lost its row and nothing else, and of the second the deletion lost.
        let logged = try domain.conflicts()
        #expect(logged.filter { $0.key == "(1)" }.map(\.kind) == [.decided])
        #expect(logged.filter { $0.key == "(2)" }.map(\.kind) == [.refused])
    }

    @Test(arguments: ChangingDomain.Kind.allCases)
    func `a row stays where somebody may have changed a column that the device does not know`(
        kind: ChangingDomain.Kind
    ) async throws {
        let (domain, device) = try await remade(
            kind,
            Self.columns + #", "More" varchar(80)"#,
            "(1, 'o1', 'one', 5, 'm1'), (2, 'o2', 'two', 6, NULL)"
        )
        try await device.delete(.integer(1), in: "Notes")
        let report = try await device.sync()
        #expect(report.sent == 0 && report.conflicts == 1)
        #expect(try domain.rows("Notes", "Id", "More").first == "1|m1")
        #expect(try device.store.conflicts().map(\.kind) == [.deletedHere])
        #expect(try device.keys("Notes") == [1, 2])
    }

    @Test(arguments: ChangingDomain.Kind.allCases)
    func `a deletion that a pull brings another version to is left to the service, which tells who changed the row`(
        kind: ChangingDomain.Kind
    ) async throws {
        let (domain, device) = try await remade(
            kind,
            #""Id" int NOT NULL PRIMARY KEY, "Text" varchar(80), "Amount" int"#,
            "(1, 'one', 5), (2, 'two', 6)"
        )
        try domain.run(#"UPDATE "Notes" SET "Text" = NULL WHERE "Id" = 2"#)
        // Nothing waited when the sync began: it pulls.
        device.transport.begin { index in
            guard index == 0 else { return }
            try await device.delete(.integer(1), in: "Notes")
            try await device.delete(.integer(2), in: "Notes")
        }
        let first = try await device.sync()
        #expect(first.sent == 0 && first.conflicts == 0)
        #expect(try device.keys("Notes") == [])
        #expect(try device.store.status().pendingTransactions == 2)
        device.transport.begin()
        let second = try await device.sync()
        #expect(second.sent == 1 && second.conflicts == 1)
        #expect(try domain.rows("Notes", "Id") == ["2"])
        #expect(try device.store.conflicts().map(\.key) == [Key([.integer(2)])])
        #expect(try device.rows("Notes").map { $0["Text"] } == [.null])
        #expect(try device.store.status().pendingTransactions == 0)
    }
}
