// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineTestSupport

@testable import TidelineStore

struct AttachTests {
    let folder: TestFolder
    let store: LocalStore

    init() throws {
        folder = try TestFolder()
        store = try LocalStore.open(path: folder.file("a.tideline"), model: Fixture.model)
    }

    @Test func `rows that came from a service are not sent to one as new`() throws {
        try Fixture.load(store, "Tags", [([.string("a"), .integer(1), .string("A"), .null], 1)])
        let origin = StoreOrigin(serviceURL: "http://x/")
        #expect(code { try store.attach(to: origin, subscriptions: [], payloadVersion: "4.01") } == .unsupported)
        #expect(try store.waitingChanges() == [])
        #expect(try store.identity().origin == nil)
    }

    @Test func `a temporary key leads to the server's, whatever that number meant here before`() throws {
        let old = try #require(store.model.setIndex(wire: "Orders"))
        func identity(_ number: Int64) -> RowIdentity { RowIdentity(set: old, key: [.integer(number)]) }
        let renamed = try store.writing { connection in
            let effects = try ServerEffects(connection)
            // The row 7 was attached under another temporary key; the server gives 7 to this one.
            try effects.noteRenamed(identity(7), to: identity(-9))
            try effects.noteRenamed(identity(-5), to: identity(7))
            return (try connection.renamed(connection.layout.sets[old], [.integer(-5)]), [])
        }
        #expect(renamed == [.integer(7)])
    }
}
