// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing

/// A small shop: its database is made by SQL, published by the tool and served; devices clone it.
final class Shop: Sendable {
    let folder: TemporaryFolder
    let database: Database
    let data: String
    let server: ServerProcess

    /// The address of the domain's service.
    var service: String { server.address + "/odata/shop/" }

    init(environment: [String: String] = [:]) throws {
        folder = try TemporaryFolder()
        data = folder.file("data")
        database = Database(path: folder.file("shop.sqlite"))
        try database.execute(Shop.tables)
        try Tool(home: folder.path).succeed(
            "publish",
            "sqlite:" + database.path,
            "--data",
            data,
            "--domain",
            "shop",
            "--open"
        )
        server = try ServerProcess(data: data, environment: environment)
    }

    /// A new device that holds the whole shop.
    func device(_ name: String) throws -> Device {
        try Device(name, of: service, in: folder)
    }

    static let tables = """
        CREATE TABLE Customers (
            Id INTEGER PRIMARY KEY AUTOINCREMENT, Name TEXT NOT NULL, Phone TEXT, City TEXT);
        CREATE TABLE Orders (
            Id INTEGER PRIMARY KEY AUTOINCREMENT,
            CustomerId INTEGER NOT NULL REFERENCES Customers (Id) ON DELETE CASCADE, Note TEXT);
        CREATE TABLE Seats (Code TEXT PRIMARY KEY NOT NULL, Number INTEGER NOT NULL UNIQUE, Holder TEXT);
        INSERT INTO Customers (Id, Name, Phone, City) VALUES
            (1, 'Ada', '111', 'London'), (2, 'Grace', '222', 'New York'), (3, 'Alan', '333', 'Wilmslow');
        INSERT INTO Orders (Id, CustomerId, Note) VALUES (1, 1, 'first'), (2, 1, 'second'), (3, 2, 'third');
        INSERT INTO Seats (Code, Number, Holder) VALUES ('A', 1, 'Ada'), ('B', 2, 'Grace'), ('C', 3, NULL);
        """
}
