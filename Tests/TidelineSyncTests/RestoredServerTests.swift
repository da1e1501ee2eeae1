// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineClient
import TidelineModel
import TidelineSQLite
import TidelineService
import TidelineStore
import TidelineSync

/// A service that is set back to a backup while devices are ahead of it.
struct RestoredServerTests {
    @Test func `D10: devices ahead of a restored service load anew, send what waits once, and agree with it`()
        async throws
    {
        let world = try World()
        let path = world.folder + "/server.sqlite"
        let ann = try await world.device("ann")
        let bob = try await world.device("bob")
        try await ann.update(.integer(1), ["Name": .string("before")], in: "Parents")
        try await ann.sync()
        try SQLiteBackup.write(path, to: world.folder + "/backup.sqlite")

        // What the service decides from here on, the backup does not have.
        try await ann.update(.integer(1), ["Name": .string("after")], in: "Parents")
        try await ann.insert(["Name": .string("lost")], into: "Parents")
        try await ann.sync()
        try await bob.sync()
        // Waits on the devices, offline: one of them on a row that goes back.
        try await ann.update(.integer(2), ["Note": .string("waits")], in: "Parents")
        try await bob.update(.integer(1), ["Amount": .integer(77)], in: "Parents")
        try await bob.insert(["Code": .string("P9"), "Rank": .integer(9)], into: "Products")

        try SQLiteBackup.restore(world.folder + "/backup.sqlite", into: path, model: world.service.domain.model)
        #expect(try world.rows("SELECT Name FROM Parents ORDER BY Id") == ["before", "two", "three"])

        for device in [ann, bob, ann] { try await device.syncUntilDone() }
        #expect(
            try world.rows("SELECT Id, Name, Note, Amount FROM Parents ORDER BY Id") == [
                "1|before|-|77", "2|two|waits|20", "3|three||30",
            ]
        )
        #expect(try world.rows("SELECT count(*) FROM Products WHERE Code = 'P9'") == ["1"])
        for device in [ann, bob] {
            #expect(try await device.verify().isEqual)
            #expect(try await device.sync().sent == 0)
        }
    }
}
