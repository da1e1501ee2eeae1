// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineClient
import TidelineModel
import TidelineStore
import TidelineSync

/// What a user may not see any more goes from the user's devices, and nothing of it is sent meanwhile.
struct ScopeDemonstrations {
    private func note(_ id: Int64, owner: Int64, _ text: String) -> [String: Value] {
        ["Id": .integer(id), "OwnerId": .integer(owner), "Text": .string(text)]
    }

    @Test(arguments: ServedDomain.Kind.allCases)
    func `D7 a row that moves to another user goes from the first user's device and comes to the second's`(
        kind: ServedDomain.Kind
    ) async throws {
        let served = try ServedDomain(kind)
        try served.write { writer in
            for id in Int64(1)...3 { try writer.insert(note(id, owner: 1, "canary \(id)"), into: "Notes") }
        }
        let ann = try await served.device("a", of: ServedDomain.ann)
        let bob = try await served.device("b", of: ServedDomain.bob)
        #expect(try bob.keys("Notes") == [])
        try served.write { try $0.update(2, ["OwnerId": .integer(2), "Text": .string("elsewhere")], in: "Notes") }
        _ = served.takeBytes(of: "a")
        #expect(try await ann.sync().removed == 1)
        #expect(try ann.keys("Notes") == [1, 3])
        #expect(!served.takeBytes(of: "a").contains("elsewhere"))
        #expect(try await bob.sync().received == 1)
        #expect(try bob.rows("Notes").map { $0["Text"] } == [.string("elsewhere")])
        for device in [ann, bob] { #expect(try await device.verify().differences == []) }
        #expect(!served.takeBytes(of: "b").contains("canary"))
    }

    @Test(arguments: ServedDomain.Kind.allCases)
    func `D7 a change of a row that has moved away is held with its reason, and its row goes`(
        kind: ServedDomain.Kind
    ) async throws {
        let served = try ServedDomain(kind)
        try served.write { try $0.insert(note(1, owner: 1, "first"), into: "Notes") }
        let ann = try await served.device("a")
        try await ann.update(.integer(1), ["Text": .string("mine")], in: "Notes")
        try served.write { try $0.update(1, ["OwnerId": .integer(2), "Text": .string("secret")], in: "Notes") }
        try await ann.sync()
        #expect(try served.rows("Notes", "OwnerId", "Text") == ["2|secret"])
        #expect(!served.takeBytes(of: "a").contains("secret"))
        let held = try ann.store.quarantined()
        #expect(held.map(\.code) == ["LeftScope"])
        for entry in held { try ann.store.discard(quarantined: entry.id) }
        try await ann.sync()
        #expect(try ann.keys("Notes") == [])
        #expect(try await ann.verify().differences == [])
    }

    @Test(arguments: ServedDomain.Kind.allCases)
    func `D8 a right that goes and comes back while a device is away leaves the right rows`(
        kind: ServedDomain.Kind
    ) async throws {
        let served = try ServedDomain(kind)
        try served.write { writer in
            for id in Int64(1)...3 { try writer.insert(note(id, owner: 1, "first"), into: "Notes") }
        }
        let ann = try await served.device("a")
        // Row 1 changes meanwhile, row 2 comes back as it was, row 3 comes back and goes.
        try served.write { writer in
            for id in Int64(1)...3 { try writer.update(id, ["OwnerId": .integer(2)], in: "Notes") }
        }
        try served.write { try $0.update(1, ["Text": .string("second")], in: "Notes") }
        try served.write { writer in
            for id in Int64(1)...3 { try writer.update(id, ["OwnerId": .integer(1)], in: "Notes") }
        }
        try served.write { try $0.update(3, ["OwnerId": .integer(2)], in: "Notes") }
        try await ann.sync()
        #expect(try ann.rows("Notes").map { $0["Text"] } == [.string("second"), .string("first")])
        #expect(try ann.keys("Notes") == [1, 2])
        #expect(try await ann.verify().differences == [])
    }

    @Test(arguments: ServedDomain.Kind.allCases)
    func `D8 while a right is taken away nothing is sent, and when it is given again all is there`(
        kind: ServedDomain.Kind
    ) async throws {
        let served = try ServedDomain(kind)
        try served.write { writer in
            for id in Int64(1)...2 { try writer.insert(note(id, owner: 1, "first"), into: "Notes") }
        }
        let ann = try await served.device("a")
        try await ann.insert(["OwnerId": .integer(1), "Text": .string("waits")], into: "Events")
        served.setUser(UserContext(id: .integer(1), name: "ann", roles: ["clerk"]), of: "a")
        try served.write { try $0.update(1, ["Text": .string("secret")], in: "Notes") }
        try await ann.update(.integer(2), ["Amount": .integer(5)], in: "Notes")
        _ = served.takeBytes(of: "a")
        // The set is not hers any more; what may still be synced is.
        let report = try await ann.sync()
        #expect(report.sent == 1)
        #expect(report.removed == 1)
        #expect(!served.takeBytes(of: "a").contains("secret"))
        // Her change is refused, and its row stays until she has decided.
        #expect(try ann.store.quarantined().map(\.code) == ["NotFound"])
        #expect(try ann.keys("Notes") == [2])
        #expect(try await ann.sync().removed == 0)

        served.setUser(ServedDomain.ann, of: "a")
        try await ann.sync()
        #expect(try served.rows("Notes", "Id", "Text", "Amount") == ["1|secret|0", "2|first|0"])
        for entry in try ann.store.quarantined() { try ann.store.discard(quarantined: entry.id) }
        try await ann.sync()
        #expect(try ann.rows("Notes").map { $0["Text"] } == [.string("secret"), .string("first")])
        #expect(try await ann.verify().differences == [])
    }
}
