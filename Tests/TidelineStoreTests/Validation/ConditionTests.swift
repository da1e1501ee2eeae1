// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineTestSupport

@testable import TidelineStore

struct ConditionTests {
    let folder: TestFolder
    let store: LocalStore

    init() throws {
        folder = try TestFolder()
        store = try Cinema.store(folder)
    }

    @Test(.covers("DA-69"))
    func `rules of an entity type hold over the row and over what it refers to, with their own messages`() throws {
        let error = Cinema.error {
            try store.write { tx in
                try tx.insert(["StudioId": .integer(1), "Founded": .integer(1917)], into: "Studios")
                let early: [String: Value] = ["Year": .integer(1916), "Studio": .integer(1)]
                try tx.insert(Cinema.movie(2, early), into: "Movies")
                try tx.insert(Cinema.movie(1, ["Year": .integer(1927), "Restored": .integer(1926)]), into: "Movies")
                // Null keeps no rule: a restored film has a year.
                try tx.insert(Cinema.movie(3, ["Restored": .integer(2000)]), into: "Movies")
                let right: [String: Value] = [
                    "Year": .integer(1917), "Restored": .integer(1917), "Studio": .integer(1),
                ]
                try tx.insert(Cinema.movie(4, right), into: "Movies")
            }
        }
        #expect(error?.code == .brokenRule)
        #expect(
            error?.failures.map(line) == [
                "Movies(2) [Studio] constraint.Studio", "Movies(1) [Restored,Year] constraint.Restoration",
                "Movies(3) [Restored,Year] constraint.Restoration",
            ]
        )
        #expect(
            error?.failures.map(\.message) == [
                "The studio is younger than the film.", "A film is restored after it was made.",
                "A film is restored after it was made.",
            ]
        )
        #expect(try store.count(Fixture.plan(store, "Movies")) == 0)
    }

    @Test func `rules are asked of rows as they end, by typed and dynamic updates and by SQL`() throws {
        try store.write { try $0.insert(Cinema.movie(1, ["Year": .integer(1927)]), into: "Movies") }
        let key = Key([.integer(1)])
        try store.write { tx in
            try tx.update(key, ["Restored": .integer(1900)], in: "Movies")
            try tx.update(key, ["Year": .integer(1899)], in: "Movies")
        }
        let update = Cinema.error { try store.write { try $0.update(key, ["Year": .integer(1901)], in: "Movies") } }
        #expect(update?.failures.map(line) == ["Movies(1) [Restored,Year] constraint.Restoration"])
        let sql = Cinema.error { try store.raw { try $0.execute("UPDATE Movies SET Year = Year + 2") } }
        #expect(sql?.failures.map(line) == ["Movies(1) [Restored,Year] constraint.Restoration"])
        #expect(try Fixture.rows(store, "Movies")[0]["Year"] == .integer(1899))
    }

    @Test func `a rule over a value that is refused itself is not told as well`() throws {
        let error = Cinema.error {
            try store.write {
                try $0.insert(Cinema.movie(1, ["Year": .integer(5000), "Restored": .integer(4000)]), into: "Movies")
            }
        }
        #expect(error?.failures.map(line) == ["Movies(1) [Year] maximum"])
    }

    @Test func `a rule over a property that stays on the device is asked too`() throws {
        try store.write { try $0.insert(Cinema.movie(1), into: "Movies") }
        let key = Key([.integer(1)])
        #expect(
            Cinema.error { try store.write { try $0.update(key, ["Mark": .integer(6)], in: "Movies") } }?
                .failures.map(line) == ["Movies(1) [Mark] constraint.Mark"]
        )
        try store.write { try $0.update(key, ["Mark": .integer(5)], in: "Movies") }
        #expect(try store.pendingTransactions().count == 1)
    }

    @Test func `a rule that looks at rows which are not all here is left to the server`() throws {
        let folder = try TestFolder()
        let remote = try Cinema.store(folder, origin: StoreOrigin(serviceURL: "http://x/"))
        try remote.setSubscriptions([
            Subscription(set: "Studios", filter: "StudioId gt 1"), Subscription(set: "Movies"),
        ])
        try remote.write { tx in
            try tx.insert(["StudioId": .integer(1), "Founded": .integer(1917)], into: "Studios")
            let early: [String: Value] = ["Year": .integer(1916), "Studio": .integer(1)]
            try tx.insert(Cinema.movie(1, early), into: "Movies")
        }
        #expect(try Fixture.rows(remote, "Movies").count == 1)
        // What a rule asks of the row itself is known all the same.
        let late: [String: Value] = ["Year": .integer(1916), "Restored": .integer(1915)]
        let error = Cinema.error { try remote.write { try $0.insert(Cinema.movie(2, late), into: "Movies") } }
        #expect(error?.failures.map(line) == ["Movies(2) [Restored,Year] constraint.Restoration"])
    }

    @Test func `many rows are asked about in pieces, each once`() throws {
        let error = Cinema.error {
            try store.write { tx in
                for id in 1...500 {
                    let year: [String: Value] = [
                        "Year": .integer(1950), "Restored": .integer(id % 100 == 0 ? 1949 : 1951),
                    ]
                    try tx.insert(Cinema.movie(Int64(id), year), into: "Movies")
                }
            }
        }
        #expect(error?.failures.map(\.key) == [100, 200, 300, 400, 500].map { Key([.integer($0)]) })
    }

    @Test func `a rule that is no condition over the entities makes no store`() throws {
        var set = Cinema.model.sets[0]
        set.type.rules = [EntityRule(name: "Odd", condition: .path(["Nope"]), message: "No.")]
        let model = EntityModel(namespace: "Cinema", sets: [set])
        let error = Cinema.error { try LocalStore.create(path: folder.file("odd.tideline"), model: model) }
        #expect(error?.code == .unsupported)
        #expect(error?.message.hasPrefix("The rule 'Odd' of 'Studios' cannot be used: ") == true)
    }

    @Test func `members of an enumeration are compared by their names on a device`() throws {
        var set = Cinema.model.sets[3]
        set.type.navigationProperties = []
        set.type.properties[1] = Fixture.property("Kind", .int32)
        set.type.properties[1].enumeration = "Kind"
        set.type.rules = [
            EntityRule(
                name: "Kind",
                condition: .binary(.notEqual, .path(["Kind"]), .enumeration(type: "Cinema.Kind", members: "Panel")),
                message: "There are no panels."
            ),
            EntityRule(
                name: "Order",
                condition: .binary(.lessThan, .path(["Kind"]), .enumeration(type: "Cinema.Kind", members: "Panel")),
                message: "As texts they have no order."
            ),
        ]
        var model = EntityModel(namespace: "Cinema", sets: [set])
        model.enumerations = [
            EnumerationType(
                names: Names(wire: "Kind"),
                members: [.init("Talk", 0), .init("Panel", 1)]
            )
        ]
        let stored = try StoreLayout.stored(model)
        #expect(
            stored.sets[0].type.rules.map(\.condition) == [
                .binary(.notEqual, .path(["Kind"]), .literal(.string("Panel")))
            ]
        )
    }
}
