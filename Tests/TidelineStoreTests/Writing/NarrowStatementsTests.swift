// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import GRDB
import Testing
import TidelineModel
import TidelineTestSupport

@testable import TidelineStore

/// Which columns the statements of a store name, as triggers of another connection see them.
struct NarrowStatementsTests {
    @Test(.covers("SB-F080")) func `a save names what was changed, and a delete the key`() throws {
        let folder = try TestFolder()
        let store = try Fixture.store(folder)
        let file = try DatabaseQueue(path: folder.file("a.tideline"))
        try file.write { database in
            try database.execute(sql: "CREATE TABLE seen (what TEXT)")
            for column in ["Code", "Rank", "Title", "Hits"] {
                try database.execute(
                    sql: """
                        CREATE TRIGGER seen_\(column) AFTER UPDATE OF "\(column)" ON "Tags"
                        BEGIN INSERT INTO seen VALUES ('update \(column) of ' || OLD."Code"); END
                        """
                )
            }
            try database.execute(
                sql: """
                    CREATE TRIGGER seen_insert AFTER INSERT ON "Tags" BEGIN INSERT INTO seen VALUES ('insert '
                    || NEW."Code" || IFNULL(' Rank ' || NEW."Rank", '') || IFNULL(' Title ' || NEW."Title", '')
                    || IFNULL(' Hits ' || NEW."Hits", '')); END
                    """
            )
            try database.execute(
                sql: """
                    CREATE TRIGGER seen_delete AFTER DELETE ON "Tags"
                    BEGIN INSERT INTO seen VALUES ('delete ' || OLD."Code"); END
                    """
            )
        }
        var row = try store.newRow(in: "Tags", ["Code": .string("a"), "Title": .string("One")])
        var other = try store.newRow(in: "Tags", ["Code": .string("b")])
        try store.write { tx in
            _ = try tx.save(&row)
            _ = try tx.save(&other)
        }
        try row.set("Title", to: .string("Two"))
        try row.set("Hits", to: .integer(2))
        try store.write { tx in _ = try tx.save(&row) }
        try row.set("Hits", to: .integer(2))
        try store.write { tx in _ = try tx.save(&row) }
        row.markForDeletion()
        try store.write { tx in _ = try tx.save(&row) }
        let seen = try file.read { try String.fetchAll($0, sql: "SELECT what FROM seen ORDER BY rowid") }
        // The triggers of one statement run in an order of SQLite's own.
        #expect(Array(seen.prefix(2)) == ["insert a Title One", "insert b"])
        #expect(Set(seen.dropFirst(2).dropLast()) == ["update Title of a", "update Hits of a"])
        #expect(seen.last == "delete a")
        #expect(seen.count == 5)
        #expect(try store.rows(in: "Tags") == [other])
    }

    @Test(.covers("MD-I42")) func `a required property without a value fails at the save, by entity and property`()
        throws
    {
        let folder = try TestFolder()
        let store = try Fixture.store(folder)
        let row = try store.newRow(in: "Clients", ["ClientId": .guid(GUID(high: 1, low: 1))])
        let error = #expect(throws: LocalStoreError.self) {
            try store.write { tx in
                var saved = row
                _ = try tx.save(&saved)
            }
        }
        #expect(error?.code == .nullValue)
        #expect(error?.set == "Clients")
        #expect(error?.properties == ["Name"])
        #expect(row.isNew)
        #expect(try store.rows(in: "Clients") == [])
    }
}
