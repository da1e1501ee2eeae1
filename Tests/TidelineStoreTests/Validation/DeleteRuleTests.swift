// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineTestSupport

@testable import TidelineStore

struct DeleteRuleTests {
    let folder: TestFolder
    let store: LocalStore
    let track = Key([.integer(1)])

    init() throws {
        folder = try TestFolder()
        store = try Cinema.store(folder)
        try store.write { tx in
            try tx.insert(["TrackId": .integer(1), "Name": .string("Data")], into: "Tracks")
            try tx.insert(["TrackId": .integer(2), "Name": .string("UI")], into: "Tracks")
            for id in [7, 8] {
                try tx.insert(
                    ["SessionId": .integer(Int64(id)), "Name": .string("S"), "Track": .integer(1)],
                    into: "Sessions"
                )
            }
        }
    }

    @Test(.covers("MD-I46"))
    func `deleting a session leaves its track without it, nullifying a required inverse is refused at save`() throws {
        try store.write { try $0.delete(Key([.integer(8)]), in: "Sessions") }
        #expect(try Fixture.rows(store, "Tracks").count == 2)
        #expect(try Fixture.rows(store, "Sessions").map { $0["SessionId"] } == [.integer(7)])
        let error = Cinema.error { try store.write { try $0.delete(track, in: "Tracks") } }
        #expect(error?.code == .stillReferenced)
        #expect(error?.failures.map(line) == ["Sessions(7) [Track] required"])
        #expect(error?.failures.map(\.message) == ["Track is required."])
        #expect(try Fixture.rows(store, "Tracks").count == 2)
        // At save it is another track's: nothing is left without one.
        try store.write { tx in
            try tx.delete(track, in: "Tracks")
            try tx.update(Key([.integer(7)]), ["Track": .integer(2)], in: "Sessions")
        }
        #expect(try Fixture.rows(store, "Sessions").map { $0["Track"] } == [.integer(2)])
        #expect(try Fixture.rows(store, "Tracks").map { $0["TrackId"] } == [.integer(2)])
    }

    @Test(.covers("MD-I46"))
    func `deny refuses while children exist, and passes when they go in the same save`() throws {
        try store.write { tx in
            try tx.delete(Key([.integer(7)]), in: "Sessions")
            try tx.delete(Key([.integer(8)]), in: "Sessions")
            try tx.insert(["CoverId": .integer(3), "Track": .integer(1)], into: "Covers")
        }
        let error = Cinema.error { try store.write { try $0.delete(track, in: "Tracks") } }
        #expect(error?.code == .stillReferenced)
        #expect(error?.set == "Covers")
        #expect(error?.failures.map(line) == ["Tracks(1) [Covers] dependents"])
        #expect(error?.failures[0].message == "This cannot be deleted: Covers still refer to it.")
        try store.write { tx in
            try tx.delete(track, in: "Tracks")
            try tx.delete(Key([.integer(3)]), in: "Covers")
        }
        #expect(try Fixture.rows(store, "Tracks").map { $0["TrackId"] } == [.integer(2)])
    }

    @Test func `a row that came back is deleted again`() throws {
        let session: [String: Value] = ["SessionId": .integer(7), "Name": .string("S"), "Track": .integer(1)]
        try store.write { tx in
            try tx.delete(Key([.integer(7)]), in: "Sessions")
            try tx.insert(session, into: "Sessions")
            try tx.delete(Key([.integer(7)]), in: "Sessions")
        }
        #expect(try Fixture.rows(store, "Sessions").map { $0["SessionId"] } == [.integer(8)])
    }

    @Test func `all that a deletion would leave without its track is told`() throws {
        let error = Cinema.error {
            try store.write { tx in
                try tx.insert(["CoverId": .integer(3), "Track": .integer(1)], into: "Covers")
                try tx.delete(track, in: "Tracks")
            }
        }
        #expect(
            error.map { $0.failures.map(line).sorted() } == [
                "Sessions(7) [Track] required", "Sessions(8) [Track] required", "Tracks(1) [Covers] dependents",
            ]
        )
    }
}
