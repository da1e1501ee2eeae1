// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineStore
import TidelineSync
import TidelineTestSupport

/// A person with labelled phone numbers and a structured address, as an address book has them.
struct ContactTests {
    private static let schema = """
        CREATE TABLE Persons (Id INTEGER PRIMARY KEY AUTOINCREMENT, Name TEXT NOT NULL);
        CREATE TABLE Phones (
            Id INTEGER PRIMARY KEY AUTOINCREMENT,
            PersonId INTEGER NOT NULL REFERENCES Persons(Id) ON DELETE CASCADE, Label TEXT NOT NULL, Number TEXT NOT NULL);
        CREATE TABLE Addresses (
            Id INTEGER PRIMARY KEY AUTOINCREMENT,
            PersonId INTEGER NOT NULL REFERENCES Persons(Id) ON DELETE CASCADE, Label TEXT NOT NULL,
            Street TEXT, City TEXT, State TEXT, Zip TEXT);
        """

    /// `label text` of each row, sorted.
    private func lines(_ device: Device, _ set: String, _ properties: [String]) throws -> [String] {
        try device.store.rows(in: set).map { row in
            try properties.map { try row.string($0) ?? "-" }.joined(separator: " ")
        }.sorted()
    }

    @Test(.covers("MD-I90"))
    func `labelled phones and a structured address reach the server and another device, labels kept`() async throws {
        let world = try World(schema: Self.schema)
        let first = try await world.device("first")
        let second = try await world.device("second")
        try await first.store.write { tx in
            let person = try tx.insert(["Name": .string("Ann")], into: "Persons").values[0]
            try tx.insert(
                ["PersonId": person, "Label": .string("mobile"), "Number": .string("+47 900 00 001")],
                into: "Phones"
            )
            try tx.insert(
                ["PersonId": person, "Label": .string("work fax"), "Number": .string("+47 22 00 00 02")],
                into: "Phones"
            )
            try tx.insert(
                [
                    "PersonId": person, "Label": .string("home"), "Street": .string("Storgata 1"),
                    "City": .string("Oslo"), "Zip": .string("0155"),
                ],
                into: "Addresses"
            )
        }
        try await first.sync()
        #expect(
            try world.rows("SELECT PersonId, Label, Number FROM Phones ORDER BY Id") == [
                "1|mobile|+47 900 00 001", "1|work fax|+47 22 00 00 02",
            ]
        )
        #expect(
            try world.rows("SELECT PersonId, Label, Street, City, State, Zip FROM Addresses") == [
                "1|home|Storgata 1|Oslo|-|0155"
            ]
        )
        try await second.sync()
        #expect(
            try lines(second, "Phones", ["Label", "Number"]) == [
                "mobile +47 900 00 001", "work fax +47 22 00 00 02",
            ]
        )
        #expect(
            try lines(second, "Addresses", ["Label", "Street", "City", "State", "Zip"]) == [
                "home Storgata 1 Oslo - 0155"
            ]
        )
        // Another label on the second device, another city on the first: both arrive on both.
        try await second.update(.integer(1), ["Label": .string("private")], in: "Phones")
        try await first.update(.integer(1), ["City": .string("Bergen")], in: "Addresses")
        try await first.sync()
        try await second.sync()
        try await first.sync()
        for device in [first, second] {
            #expect(
                try lines(device, "Phones", ["Label", "Number"]) == [
                    "private +47 900 00 001", "work fax +47 22 00 00 02",
                ]
            )
            #expect(try lines(device, "Addresses", ["Label", "City"]) == ["home Bergen"])
        }
        #expect(try await first.verify().isEqual)
    }
}
