// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import GRDB
import TidelineModel
import TidelineSQLite
import TidelineStorage

/// The domain of the scripted scenarios: a chain with a cascade, unique values, and a mark for each transaction.
enum Harbour {
    static let schema = """
        CREATE TABLE Parents (
            Id INTEGER PRIMARY KEY AUTOINCREMENT, Name TEXT NOT NULL, Note TEXT, Amount INTEGER NOT NULL DEFAULT 0);
        CREATE TABLE Children (
            Id INTEGER PRIMARY KEY AUTOINCREMENT,
            ParentId INTEGER NOT NULL REFERENCES Parents(Id) ON DELETE CASCADE, Label TEXT NOT NULL);
        CREATE TABLE Products (Code TEXT NOT NULL PRIMARY KEY, Rank INTEGER NOT NULL UNIQUE, Name TEXT);
        CREATE TABLE Marks (Name TEXT NOT NULL PRIMARY KEY);
        CREATE TABLE Edits (Name TEXT NOT NULL PRIMARY KEY);
        INSERT INTO Parents (Id, Name, Note, Amount) VALUES (1, 'one', NULL, 10), (2, 'two', 'n', 20), (3, 'three', '', 30);
        INSERT INTO Children (Id, ParentId, Label) VALUES (1, 1, 'a'), (2, 1, 'b'), (3, 2, 'c');
        INSERT INTO Products (Code, Rank, Name) VALUES ('P1', 1, 'Lamp'), ('P2', 2, 'Chair'), ('P3', 3, NULL);
        """

    /// The set with a row for each transaction of the device: whether the transaction is there.
    static let marks = "Marks"

    /// Makes the database of the service and captures its changes; `Edits` is of the scenario alone.
    static func publish(path: String) throws -> EntityModel {
        let queue = try DatabaseQueue(path: path)
        try queue.write { try $0.execute(sql: schema) }
        try queue.close()
        return try SQLitePublisher.publish(path: path, namespace: "Harbour", skipping: ["Edits"]) { _ in }.model
    }

    /// What the service's database says, in an order and with names that do not depend on the keys that were made.
    static let content = [
        "SELECT 'parent ' || Name || ' ' || ifnull(Note, '-') || ' ' || Amount FROM Parents ORDER BY 1",
        """
        SELECT 'child ' || Label || ' of ' || ifnull(Parents.Name, 'nobody')
        FROM Children LEFT JOIN Parents ON Parents.Id = ParentId ORDER BY 1
        """,
        "SELECT 'product ' || Code || ' ' || Rank || ' ' || ifnull(Name, '-') FROM Products ORDER BY 1",
        "SELECT 'mark ' || Name FROM Marks ORDER BY 1",
    ]
}
