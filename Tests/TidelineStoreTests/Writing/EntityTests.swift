// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineStorage

@testable import TidelineStore

struct Tag: Entity, Equatable {
    static let entitySet = Fixture.model.sets[3]
    var code: String
    var rank: Int64?
    var title: String?
    var hits: Int?

    init(code: String, rank: Int64?, title: String?, hits: Int?) {
        (self.code, self.rank, self.title, self.hits) = (code, rank, title, hits)
    }

    init(row: inout RowCursor) throws {
        code = try String.read(from: &row)
        rank = try Int64?.read(from: &row)
        title = try String?.read(from: &row)
        hits = try Int?.read(from: &row)
    }

    func bind(into binder: inout Binder) {
        code.bind(into: &binder)
        rank.bind(into: &binder)
        title.bind(into: &binder)
        hits.bind(into: &binder)
    }
}

struct EntityTests {
    @Test func `typed entities go in, come out, and are recorded like dynamic ones`() throws {
        let folder = try TestFolder()
        let store = try Fixture.store(folder)
        let tags = (0..<1000).map { Tag(code: "k\(1000 + $0)", rank: Int64($0), title: nil, hits: $0 * 1_000_000_000_000) }
        try store.write { try $0.insert(contentsOf: tags) }
        #expect(try store.fetch(Tag.self, Fixture.plan(store, "Tags")) == tags)
        let changes = try store.pendingTransactions()[0].changes
        #expect(changes.count == 1000)
        #expect(changes[7].change.key == Key([.string("k1007")]))
        var one = tags[3]
        one.title = "changed"
        #expect(try store.write { try $0.update(one) })
        #expect(try store.read { try $0.fetch(Tag.self, key: Key([.string("k1003")])) } == one)
        #expect(try store.write { try $0.delete(Tag.self, key: Key([.string("k1003")])) })
        #expect(try store.count(Fixture.plan(store, "Tags")) == 999)
    }

    @Test func `a typed value that does not fit is refused by its property`() throws {
        let folder = try TestFolder()
        let store = try Fixture.store(folder)
        #expect(throws: LocalStoreError.self) {
            try store.write { try $0.insert(Tag(code: "a\u{0}", rank: nil, title: nil, hits: nil)) }
        }
        #expect(try store.status().pendingTransactions == 0)
    }
}
