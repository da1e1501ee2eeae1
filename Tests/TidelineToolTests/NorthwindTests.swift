// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The public Northwind data, loaded into a SQLite file, published and synced to two devices.
@Suite(.serialized)
struct NorthwindTests {
    /// The folder of the data, beside a checkout of the project; it is not part of it.
    static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../shared/data/northwind/json").standardizedFileURL

    static var isPresent: Bool { FileManager.default.fileExists(atPath: folder.path) }

    private static let tables: [(name: String, sql: String)] = [
        ("Categories", "CategoryID INTEGER PRIMARY KEY, CategoryName TEXT NOT NULL, Description TEXT, Picture BLOB"),
        (
            "Suppliers",
            """
            SupplierID INTEGER PRIMARY KEY, CompanyName TEXT NOT NULL, ContactName TEXT, ContactTitle TEXT, Address TEXT,
            City TEXT, Region TEXT, PostalCode TEXT, Country TEXT, Phone TEXT, Fax TEXT, HomePage TEXT
            """
        ),
        (
            "Products",
            """
            ProductID INTEGER PRIMARY KEY, ProductName TEXT NOT NULL, SupplierID INTEGER REFERENCES Suppliers,
            CategoryID INTEGER REFERENCES Categories, QuantityPerUnit TEXT, UnitPrice DECIMAL(19,4), UnitsInStock SMALLINT,
            UnitsOnOrder SMALLINT, ReorderLevel SMALLINT, Discontinued BOOLEAN NOT NULL DEFAULT 0
            """
        ),
        (
            "Customers",
            """
            CustomerID TEXT PRIMARY KEY NOT NULL, CompanyName TEXT NOT NULL, ContactName TEXT, ContactTitle TEXT,
            Address TEXT, City TEXT, Region TEXT, PostalCode TEXT, Country TEXT, Phone TEXT, Fax TEXT
            """
        ),
        ("Shippers", "ShipperID INTEGER PRIMARY KEY, CompanyName TEXT NOT NULL, Phone TEXT"),
        (
            "Orders",
            """
            OrderID INTEGER PRIMARY KEY, CustomerID TEXT REFERENCES Customers, EmployeeID INTEGER, OrderDate DATE,
            RequiredDate DATE, ShippedDate DATE, ShipVia INTEGER REFERENCES Shippers, Freight DECIMAL(19,4), ShipName TEXT,
            ShipAddress TEXT, ShipCity TEXT, ShipRegion TEXT, ShipPostalCode TEXT, ShipCountry TEXT
            """
        ),
        (
            "OrderDetails",
            """
            OrderID INTEGER NOT NULL REFERENCES Orders ON DELETE CASCADE, ProductID INTEGER NOT NULL REFERENCES Products,
            UnitPrice DECIMAL(19,4) NOT NULL, Quantity SMALLINT NOT NULL, Discount REAL NOT NULL,
            PRIMARY KEY (OrderID, ProductID)
            """
        ),
    ]

    /// Loads the tables into a new file.
    private func load(into database: Database) throws {
        var sql = "BEGIN;\n"
        for table in Self.tables {
            sql += "CREATE TABLE \(table.name) (\(table.sql));\n"
            let data = try Data(contentsOf: Self.folder.appending(path: table.name + ".json"))
            let rows = try JSONDecoder().decode([[String: JSON]].self, from: data)
            for row in rows {
                let columns = row.keys.sorted()
                let values = columns.map { Self.literal(row[$0] ?? .null) }
                sql += "INSERT INTO \(table.name) (\(columns.joined(separator: ","))) "
                sql += "VALUES (\(values.joined(separator: ",")));\n"
            }
        }
        try database.execute(sql + "COMMIT;")
    }

    private static func literal(_ value: JSON) -> String {
        switch value {
        case .string(let text) where text.hasPrefix("hex:"): "x'\(text.dropFirst(4))'"
        case .string(let text): "'\(text.replacing("'", with: "''"))'"
        case .number(let number): number == number.rounded() ? "\(Int(number))" : "\(number)"
        case .boolean(let flag): flag ? "1" : "0"
        default: "NULL"
        }
    }

    @Test(.enabled(if: isPresent, "the public test data is not beside this checkout"))
    func `Northwind is published, cloned by two devices, edited by both and in step`() throws {
        let folder = try TemporaryFolder()
        let database = Database(path: folder.file("northwind.sqlite"))
        try load(into: database)
        let data = folder.file("data")
        let tool = Tool(home: folder.path)
        try tool.succeed("publish", "sqlite:" + database.path, "--data", data, "--domain", "northwind", "--open")
        let server = try ServerProcess(data: data)
        let service = server.address + "/odata/northwind/"
        let a = try Device("a", of: service, in: folder)
        let b = try Device("b", of: service, in: folder)
        #expect(try a.query("Orders").count == 830)
        #expect(try a.query("OrderDetails").count == 2155)
        #expect(try a.query("Products?$filter=UnitPrice gt 100").count == 2)
        #expect(
            try a.values(of: "CompanyName", in: "Customers?$filter=CustomerID eq 'ALFKI'") == ["Alfreds Futterkiste"]
        )
        try a.update("OrderDetails", "OrderID=10248,ProductID=11", #"{"Quantity":13}"#)
        try b.update("OrderDetails", "OrderID=10248,ProductID=11", #"{"Discount":0.25}"#)
        try a.delete("Orders", "10249")
        try b.insert("Customers", #"{"CustomerID":"TIDES","CompanyName":"Ebb & Flow"}"#)
        try a.sync()
        try b.sync()
        try a.sync()
        for device in [a, b] {
            try device.verify()
            let line = try #require(try device.query("OrderDetails?$filter=OrderID eq 10248 and ProductID eq 11").first)
            #expect(line["Quantity"] == 13)
            #expect(line["Discount"] == .number(0.25))
            #expect(try device.query("OrderDetails?$filter=OrderID eq 10249").isEmpty)
            #expect(
                try device.values(of: "CompanyName", in: "Customers?$filter=CustomerID eq 'TIDES'") == ["Ebb & Flow"]
            )
        }
        #expect(try database.integer("SELECT count(*) FROM OrderDetails WHERE OrderID = 10249") == 0)
    }
}
