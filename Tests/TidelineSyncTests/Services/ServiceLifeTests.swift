// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import Tideline
import TidelineTestSupport

/// What services do with no connection, and what they keep alive.
struct ServiceLifeTests {
    @Test(.covers("PS-P06"), arguments: [NetworkFault.dropBefore, .dropAfter, .truncate, .busy])
    func `spots are kept, changed and found with no connection, and go once when it is back`(
        fault: NetworkFault
    ) async throws {
        let world = try World(schema: HarbourServices.schema)
        let line = ServiceTransport(world.service)
        let services = try await HarbourServices.synced.open(world, transport: line)
        let harbours = services.service(for: Harbour.self)
        let spots = services.service(for: Spot.self)
        _ = try await harbours.create(Harbour(code: "BGO", name: "Bergen"))
        var pier = try await spots.create(Spot(name: "Pier", mark: "a", harbourCode: "BGO"))
        let quay = try await spots.create(Spot(name: "Quay", mark: "b", harbourCode: "BGO"))
        try await services.sync()
        #expect(try world.rows("SELECT Name FROM Spots ORDER BY Mark") == ["Pier", "Quay"])

        line.begin(chance: { _ in .dropBefore })
        pier.name = "Old pier"
        #expect(try await spots.update(pier).name == "Old pier")
        try await spots.delete(quay)
        _ = try await spots.create(Spot(name: "Rock", mark: "c", harbourCode: "BGO"))
        #expect(try await spots.getMany().map(\.name).sorted() == ["Old pier", "Rock"])
        #expect(try await spots.getMany(Spot.where { $0.mark == "c" }).map(\.name) == ["Rock"])
        let error = await #expect(throws: EntityServiceError.self) { try await services.sync() }
        #expect(error?.code == .unavailable)
        #expect(try world.rows("SELECT Name FROM Spots ORDER BY Mark") == ["Pier", "Quay"])
        #expect(try services.store?.status().pendingTransactions == 3)

        // It comes back, and fails once more at the first exchange or at the answer to what was sent.
        for exchange in 0...1 {
            line.begin(fault: fault, at: exchange)
            _ = try? await services.sync()
        }
        line.begin()
        try await services.sync()
        #expect(try services.store?.status().pendingTransactions == 0)
        #expect(try services.store?.quarantined().isEmpty == true)
        #expect(try world.rows("SELECT Name FROM Spots ORDER BY Mark") == ["Old pier", "Rock"])
        #expect(try await spots.getMany().map(\.name).sorted() == ["Old pier", "Rock"])
        try await services.close()
    }

    @Test(.covers("PS-P08"), arguments: HarbourServices.allCases)
    func `when the app lets its services go nothing holds them, their way to the server or their file`(
        kind: HarbourServices
    ) async throws {
        let world = try World(schema: HarbourServices.schema)
        weak var line: ServiceTransport?
        weak var held: EntityServices?
        weak var store: LocalStore?
        func use() async throws {
            let transport = ServiceTransport(world.service)
            let services = try await kind.open(world, transport: transport)
            (line, held, store) = (transport, services, services.store)
            let harbours = services.service(for: Harbour.self)
            _ = try await harbours.create(Harbour(code: "BGO", name: "Bergen"))
            // One that is given up in the middle leaves nothing behind either.
            let task = Task { try await harbours.getMany() }
            task.cancel()
            _ = await task.result
            try await services.close()
        }
        try await use()
        #expect(held == nil)
        #expect(line == nil)
        #expect(store == nil)
    }
}
