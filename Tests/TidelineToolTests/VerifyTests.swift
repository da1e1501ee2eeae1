// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// What `tideline verify` tells a script.
@Suite(.serialized)
struct VerifyTests {
    private func verify(_ device: Device, status: Int32) throws -> [[String: JSON]] {
        let result = try device.tool.run("verify", device.file, "--json")
        #expect(result.status == status, "\(result)")
        return try result.lines.map { try JSONDecoder().decode([String: JSON].self, from: Data($0.utf8)) }
    }

    private func publish(_ shop: Shop, _ arguments: String...) throws {
        let publish = ["publish", "sqlite:" + shop.database.path, "--data", shop.data, "--domain", "shop", "--open"]
        let result = try Tool(home: shop.folder.path).run(arguments: publish + arguments)
        #expect(result.status == 0, "\(result)")
    }

    @Test func `columns that only one of both has are told, and are no difference`() throws {
        let shop = try Shop()
        let a = try shop.device("a")
        let none: JSON = .array([])
        #expect(try verify(a, status: 0) == [["equal": true, "rows": 9, "onlyThere": none, "onlyHere": none]])
        try publish(shop, "--skip", "Customers.Phone")
        try shop.database.execute(
            """
            ALTER TABLE Customers DROP COLUMN Phone;
            ALTER TABLE Orders ADD COLUMN Price REAL;
            ALTER TABLE Orders ADD COLUMN Colour TEXT;
            """
        )
        try publish(shop)
        try a.sync()
        let (there, here): (JSON, JSON) = (.array(["Orders.Price", "Orders.Colour"]), .array(["Customers.Phone"]))
        #expect(try verify(a, status: 0) == [["equal": true, "rows": 9, "onlyThere": there, "onlyHere": here]])
    }

    @Test func `a value of the file that is none of its type is a line with its key, and ends nothing`() throws {
        let shop = try Shop()
        let a = try shop.device("a")
        try Database(path: a.file).execute("UPDATE Customers SET City = x'00' WHERE Id = 2")
        try shop.database.execute("DELETE FROM Seats WHERE Code = 'B'")
        #expect(
            try verify(a, status: 1) == [
                ["set": "Customers", "key": "2", "difference": "unreadableHere", "properties": "City"],
                ["set": "Seats", "key": "'B'", "difference": "missingThere", "properties": ""],
            ]
        )
    }

    @Test func `a row that differs, a row that is gone and a newer column are a line each`() throws {
        let shop = try Shop()
        let a = try shop.device("a")
        try shop.database.execute(
            """
            UPDATE Customers SET City = 'Rome' WHERE Id = 2;
            DELETE FROM Seats WHERE Code = 'B';
            ALTER TABLE Orders ADD COLUMN Price REAL;
            """
        )
        try publish(shop)
        #expect(
            try verify(a, status: 1) == [
                ["set": "Customers", "key": "2", "difference": "values", "properties": "City"],
                ["set": "Seats", "key": "'B'", "difference": "missingThere", "properties": ""],
                ["set": "Orders", "key": .null, "difference": "onlyThere", "properties": "Price"],
            ]
        )
    }
}
