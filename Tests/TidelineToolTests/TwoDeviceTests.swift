// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import TidelineTestSupport

/// Two devices edit with no connection and end up in step through the server: whole processes, real files.
@Suite(.serialized)
struct TwoDeviceTests {
    /// Brings both devices in step: what the second sends must reach the first.
    private func settle(_ first: Device, _ second: Device) throws {
        try first.sync()
        try second.sync()
        try first.sync()
        try first.verify()
        try second.verify()
    }

    @Test(.covers("DA-12")) func `inserts, updates and deletes of both devices reach each other`() throws {
        let shop = try Shop()
        let (a, b) = (try shop.device("a"), try shop.device("b"))
        try a.insert("Customers", #"{"Name":"Edsger","City":"Austin"}"#)
        try a.update("Customers", "1", #"{"City":"Paris"}"#)
        try a.delete("Orders", "3")
        try b.insert("Customers", #"{"Name":"Barbara","City":"Boston"}"#)
        try b.update("Customers", "2", #"{"Phone":null}"#)
        try b.delete("Orders", "2")
        try settle(a, b)
        for device in [a, b] {
            #expect(
                try device.values(of: "Name", in: "Customers?$orderby=Name")
                    == ["Ada", "Alan", "Barbara", "Edsger", "Grace"]
            )
            #expect(try device.values(of: "City", in: "Customers?$filter=Id eq 1") == ["Paris"])
            #expect(try device.values(of: "Phone", in: "Customers?$filter=Id eq 2") == [.null])
            #expect(try device.values(of: "Id", in: "Orders") == [1])
        }
        #expect(
            try shop.database.texts("SELECT Name FROM Customers ORDER BY Name")
                == ["Ada", "Alan", "Barbara", "Edsger", "Grace"]
        )
    }

    @Test func `after a sync all is in the one file, so that a copy can take its place`() throws {
        let shop = try Shop()
        let device = try shop.device("a")
        for round in 1...12 {
            try device.update("Customers", "1", "{\"City\":\"City \(round)\"}")
            try device.sync()
            #expect(!FileManager.default.fileExists(atPath: device.file + "-wal"), "round \(round)")
        }
    }

    @Test func `edits of one row in different properties merge`() throws {
        let shop = try Shop()
        let (a, b) = (try shop.device("a"), try shop.device("b"))
        try a.update("Customers", "1", #"{"City":"Paris"}"#)
        try b.update("Customers", "1", #"{"Phone":"999"}"#)
        try settle(a, b)
        for device in [a, b] {
            let row = try #require(try device.query("Customers?$filter=Id eq 1").first)
            #expect(row["City"] == "Paris")
            #expect(row["Phone"] == "999")
            #expect(try device.tool.succeed("conflicts", device.file, "--json").lines.isEmpty)
        }
    }

    @Test func `edits of one property conflict, the server's value stays and the loser is kept in the log`() throws {
        let shop = try Shop()
        let (a, b) = (try shop.device("a"), try shop.device("b"))
        try a.update("Customers", "1", #"{"City":"Paris"}"#)
        try b.update("Customers", "1", #"{"City":"Rome"}"#)
        try settle(a, b)
        for device in [a, b] {
            #expect(try device.values(of: "City", in: "Customers?$filter=Id eq 1") == ["Paris"])
        }
        #expect(try a.tool.succeed("conflicts", a.file, "--json").lines.isEmpty)
        let conflicts = try b.tool.succeed("conflicts", b.file, "--json").lines
        #expect(conflicts.count == 1)
        #expect(conflicts.first?.contains("Rome") == true)
        #expect(conflicts.first?.contains("Paris") == true)
    }

    @Test func `an update beats a delete`() throws {
        let shop = try Shop()
        let (a, b) = (try shop.device("a"), try shop.device("b"))
        try a.delete("Customers", "3")
        try b.update("Customers", "3", #"{"City":"Cambridge"}"#)
        try settle(a, b)
        for device in [a, b] {
            #expect(try device.values(of: "City", in: "Customers?$filter=Name eq 'Alan'") == ["Cambridge"])
        }
    }

    @Test func `a key that is deleted and inserted again holds the new row everywhere`() throws {
        let shop = try Shop()
        let (a, b) = (try shop.device("a"), try shop.device("b"))
        try a.delete("Seats", "'A'")
        try a.insert("Seats", #"{"Code":"A","Number":7,"Holder":"Edsger"}"#)
        try settle(a, b)
        for device in [a, b] {
            #expect(try device.values(of: "Number", in: "Seats?$filter=Code eq 'A'") == [7])
            #expect(try device.values(of: "Holder", in: "Seats?$filter=Code eq 'A'") == ["Edsger"])
        }
        #expect(try shop.database.integer("SELECT Number FROM Seats WHERE Code = 'A'") == 7)
    }

    @Test func `two edits of one row in two transactions both arrive and do not conflict with each other`() throws {
        let shop = try Shop()
        let (a, b) = (try shop.device("a"), try shop.device("b"))
        try a.update("Customers", "1", #"{"City":"Paris"}"#)
        try a.update("Customers", "1", #"{"City":"Lyon","Phone":"5"}"#)
        try settle(a, b)
        #expect(try b.values(of: "City", in: "Customers?$filter=Id eq 1") == ["Lyon"])
        #expect(try b.values(of: "Phone", in: "Customers?$filter=Id eq 1") == ["5"])
        #expect(try a.tool.succeed("conflicts", a.file, "--json").lines.isEmpty)
    }

    @Test func `a parent and its children under temporary keys get the server's keys`() throws {
        let shop = try Shop()
        let (a, b) = (try shop.device("a"), try shop.device("b"))
        try a.insert("Customers", #"{"Name":"Edsger"}"#)
        let temporary = try #require(try a.values(of: "Id", in: "Customers?$filter=Name eq 'Edsger'").first)
        guard case .number(let key) = temporary else {
            Issue.record("the key \(temporary) is no number")
            return
        }
        #expect(key < 0)
        try a.insert("Orders", #"{"CustomerId":\#(Int(key)),"Note":"child"}"#)
        try settle(a, b)
        for device in [a, b] {
            let parent = try device.values(of: "Id", in: "Customers?$filter=Name eq 'Edsger'")
            #expect(parent == [4])
            #expect(try device.values(of: "CustomerId", in: "Orders?$filter=Note eq 'child'") == parent)
        }
    }

    @Test func `a view is read only and follows its tables`() throws {
        let folder = try TemporaryFolder()
        let database = Database(path: folder.file("shop.sqlite"))
        try database.execute(Shop.tables)
        try database.execute(
            "CREATE VIEW Totals AS SELECT CustomerId, count(*) AS Orders FROM Orders GROUP BY CustomerId"
        )
        let data = folder.file("data")
        try Tool(home: folder.path).succeed(
            "publish",
            "sqlite:" + database.path,
            "--data",
            data,
            "--domain",
            "shop",
            "--open",
            "--key",
            "Totals=CustomerId"
        )
        let server = try ServerProcess(data: data)
        let device = try Device("a", of: server.address + "/odata/shop/", in: folder)
        #expect(try device.values(of: "Orders", in: "Totals?$orderby=CustomerId") == [2, 1])
        let refused = try device.tool.run("update", device.file, "Totals", "1", #"{"Orders":5}"#)
        #expect(refused.status == 1)
        try device.insert("Orders", #"{"CustomerId":3,"Note":"new"}"#)
        try database.execute("DELETE FROM Orders WHERE Id = 3")
        try device.sync()
        #expect(try device.values(of: "CustomerId", in: "Totals?$orderby=CustomerId") == [1, 3])
        #expect(try device.values(of: "Orders", in: "Totals?$orderby=CustomerId") == [2, 1])
        try device.verify()
        let again = try device.sync()
        #expect(again.output.contains(#""received":0"#), "\(again)")
        #expect(server.stop() == 0)
    }

    @Test func `direct SQL on the server reaches the devices: REPLACE, a cascade, a rebuilt table`() throws {
        let shop = try Shop()
        let (a, b) = (try shop.device("a"), try shop.device("b"))
        try shop.database.execute("REPLACE INTO Seats (Code, Number, Holder) VALUES ('D', 1, 'Alan')")
        try shop.database.execute("PRAGMA foreign_keys = ON; DELETE FROM Customers WHERE Id = 1")
        try settle(a, b)
        for device in [a, b] {
            #expect(try device.values(of: "Code", in: "Seats?$orderby=Code") == ["B", "C", "D"])
            #expect(try device.values(of: "Id", in: "Orders") == [3])
        }
        try shop.database.execute(
            """
            BEGIN;
            CREATE TABLE Rebuilt (Code TEXT PRIMARY KEY NOT NULL, Number INTEGER NOT NULL UNIQUE, Holder TEXT);
            INSERT INTO Rebuilt SELECT Code, Number + 10, Holder FROM Seats;
            DROP TABLE Seats;
            ALTER TABLE Rebuilt RENAME TO Seats;
            COMMIT;
            """
        )
        try settle(a, b)
        for device in [a, b] {
            #expect(try device.values(of: "Number", in: "Seats?$orderby=Code") == [12, 13, 11])
        }
    }
}
