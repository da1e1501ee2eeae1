// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineStore
import TidelineSync

/// Fractions of seconds in columns that had none when they were published.
struct FractionTests {
    private static let schema = """
        CREATE TABLE Runs (Id INTEGER PRIMARY KEY, At DATETIME, Lap TIME);
        """

    @Test func `a device keeps what other programs write`() async throws {
        let world = try World(schema: Self.schema)
        let device = try await world.device("a")
        try world.execute(
            """
            INSERT INTO Runs VALUES (1, '2024-01-01 10:00:00', '00:01:00'), (2, '2024-01-01 10:00:00.250', '00:01:00.5')
            """
        )
        #expect(try await device.sync().received == 2)
        let found = try await device.store.read { reader in
            try [1, 2].map { try reader.entity(Key([.integer($0)]), in: "Runs") ?? [:] }
        }
        #expect(found.map { $0["At"]?.text } == ["2024-01-01T10:00:00Z", "2024-01-01T10:00:00.25Z"])
        #expect(found.map { $0["Lap"]?.text } == ["00:01:00", "00:01:00.5"])
        // A change of another property leaves them as they are, here and there.
        try await device.update(.integer(2), ["Lap": .null], in: "Runs")
        #expect(try await device.sync().sent == 1)
        #expect(try world.rows("SELECT At, Lap FROM Runs WHERE Id = 2") == ["2024-01-01 10:00:00.250|-"])
        let differences = try await device.verify().differences
        #expect(differences == [])
    }
}
