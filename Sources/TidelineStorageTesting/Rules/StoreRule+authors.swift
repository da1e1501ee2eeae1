// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineStorage

extension StoreRule {
    /// Whose doing changes are.
    static let authors: [StoreRule] = [
        StoreRule("what transactions of a client changed is its doing, until another changes it too") { world throws in
            let start = try world.position()
            try world.write(as: "c") { _ = try world.update("Clients", [.string("k2")], "Name", .string("one"), $0) }
            #expect(try !world.isChanged("Clients", "k2", since: start, exceptBy: "c"))
            #expect(try world.isChanged("Clients", "k2", since: start, exceptBy: "C"))
            #expect(try !world.isChanged("Clients", "k1", since: start, exceptBy: "C"))
            let middle = try world.position()
            #expect(try !world.isChanged("Clients", "k2", since: middle, exceptBy: "C"))

            try world.update("Clients", [.string("k2")], "Name", .string("two"))
            #expect(try world.isChanged("Clients", "k2", since: middle, exceptBy: "c"))
            #expect(try world.isChanged("Clients", "k2", since: start, exceptBy: "c"))
            let after = try world.position()
            try world.write(as: "c") { _ = try world.update("Clients", [.string("k2")], "Name", .string("three"), $0) }
            try world.write(as: "d") { _ = try world.update("Clients", [.string("k1")], "Name", .string("four"), $0) }
            #expect(try !world.isChanged("Clients", "k2", since: after, exceptBy: "c"))
            #expect(try world.isChanged("Clients", "k2", since: middle, exceptBy: "c"))
            #expect(try world.isChanged("Clients", "k1", since: start, exceptBy: "c"))
            #expect(try !world.isChanged("Clients", "k1", since: start, exceptBy: "d"))
        },
        StoreRule("of a row that is not there, or since a moment that is not known, nothing is said to be unchanged") {
            world throws in
            let start = try world.position()
            #expect(try world.isChanged("Clients", "none", since: start, exceptBy: "c"))
            #expect(try !world.isChanged("Clients", "k1", since: start, exceptBy: "c"))
            let strange = FeedPosition(bytes: [9, 9, 9])
            #expect(try world.isChanged("Clients", "k1", since: strange, exceptBy: "c"))
        },
        StoreRule("compaction leaves nothing that is said to be unchanged since before it") { world throws in
            let start = try world.position()
            try world.write(as: "c") { _ = try world.update("Clients", [.string("k1")], "Name", .string("one"), $0) }
            let middle = try world.position()
            try world.write(as: "c") { _ = try world.update("Clients", [.string("k1")], "Name", .string("two"), $0) }
            #expect(try !world.isChanged("Clients", "k1", since: start, exceptBy: "c"))
            let compaction = try world.compact(keeping: 2)
            #expect(compaction.isFinished && compaction.removed > 0)
            #expect(try world.isChanged("Clients", "k1", since: start, exceptBy: "c"))
            #expect(try !world.isChanged("Clients", "k1", since: middle, exceptBy: "c"))
        },
        StoreRule("a transaction that has changed nothing yet when its client is told stays nobody's doing") {
            world throws in
            let start = try world.position()
            try world.store.write { writer throws in
                try writer.setAuthor("c", since: try writer.position())
                let isThere = try world.update("Clients", [.string("k1")], "Name", .string("one"), writer)
                #expect(isThere)
            }
            #expect(try world.isChanged("Clients", "k1", since: start, exceptBy: "c"))
            try world.write(as: "c") { _ = try world.update("Clients", [.string("k2")], "Name", .string("two"), $0) }
            #expect(try !world.isChanged("Clients", "k2", since: start, exceptBy: "c"))
            #expect(try world.isChanged("Clients", "k1", since: start, exceptBy: "c"))
        },
        StoreRule("a transaction that is undone is nobody's doing") { world throws in
            let start = try world.position()
            #expect(throws: StorageError.self) {
                try world.store.write { writer throws in
                    let begin = try writer.position()
                    _ = try world.update("Clients", [.string("k1")], "Name", .string("one"), writer)
                    try writer.setAuthor("c", since: begin)
                    try world.insert("Clients", ["k1", "taken", nil], writer)
                }
            }
            try world.update("Clients", [.string("k1")], "Name", .string("two"))
            #expect(try world.isChanged("Clients", "k1", since: start, exceptBy: "c"))
        },
        StoreRule("rows are told by keys of every kind") { world throws in
            let keys: [(set: String, key: [String])] = [
                ("Clients", ["É"]), ("Orders", ["3"]), ("Lines", ["6", "10"]),
                ("Products", [StoreFixture.product(255)]),
            ]
            for (name, texts) in keys {
                let set = try world.set(name)
                let values = try StoreFixture.values(texts, set)
                let key = Key(try set.type.key.map { try #require(values[$0]) })
                let place = try #require(
                    set.type.properties.indices.first {
                        !set.type.key.contains($0) && set.type.properties[$0].type == .string
                    }
                )
                let start = try world.position()
                func isChanged() throws -> Bool {
                    try world.store.read { try $0.isChanged(key, in: set, since: start, exceptBy: "c") }
                }
                try world.write(as: "c") { writer throws in
                    let isThere = try writer.update(key, [place: .string("S")], in: set)
                    #expect(isThere)
                }
                #expect(try !isChanged(), "\(name)")
                let isThere = try world.store.write { try $0.update(key, [place: .string("T")], in: set) }
                #expect(isThere)
                #expect(try isChanged(), "\(name)")
            }
        },
    ]
}

extension World {
    /// Changes what the closure changes in a transaction of a client.
    fileprivate func write(as client: String, _ body: (any StoreWriter) throws -> Void) throws {
        try store.write { writer in
            let start = try writer.position()
            try body(writer)
            try writer.setAuthor(client, since: start)
        }
    }

    fileprivate func isChanged(
        _ set: String,
        _ key: String,
        since position: FeedPosition,
        exceptBy client: String
    ) throws -> Bool {
        try store.read {
            try $0.isChanged(Key([.string(key)]), in: self.set(set), since: position, exceptBy: client)
        }
    }
}
