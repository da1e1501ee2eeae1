// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineMemory
import TidelineModel
import TidelineStorage
import TidelineStorageTesting

struct MemoryTransactionTests {
    private let store: MemoryStore
    private let sellers: EntitySet
    private let orders: EntitySet

    init() throws {
        store = MemoryStore(model: StoreFixture.model, rules: try MemoryUnderTest.rules())
        sellers = try #require(StoreFixture.model[set: "Sellers"])
        orders = try #require(StoreFixture.model[set: "Orders"])
        try store.write { writer in
            for number in 1...3 { _ = try writer.insert([0: .integer(Int64(number))], into: sellers) }
        }
    }

    private func seller(_ number: Int64) -> Key { Key([.integer(number)]) }

    private func name(_ number: Int64, _ reader: (any StoreReader)? = nil) throws -> Value? {
        if let reader { return try reader.entity(seller(number), in: sellers)?.values[1] }
        return try store.read { try $0.entity(seller(number), in: sellers)?.values[1] }
    }

    private func changes(since position: FeedPosition) throws -> [Value] {
        var keys: [Value] = []
        try store.read { reader in
            _ = try reader.changes(ChangeQuery(set: sellers, since: position)) {
                keys.append($0.key?.values[0] ?? .null)
            }
        }
        return keys
    }

    @Test func `a transaction sees its snapshot and its own changes until it commits`() throws {
        let first = store.begin()
        let second = store.begin()
        _ = try first.update(seller(1), [1: .string("first")], in: sellers)
        _ = try second.update(seller(2), [1: .string("second")], in: sellers)
        #expect(try name(1, first) == .string("first"))
        #expect(try name(1, second) == .null)
        #expect(try name(1) == .null)
        try second.commit()
        #expect(try name(2, first) == .null)
        #expect(try name(2) == .string("second"))
        try first.commit()
        #expect(try name(1) == .string("first"))
        #expect(try name(2) == .string("second"))
    }

    @Test func `of two that change one entity the first to commit wins`() throws {
        let first = store.begin()
        let second = store.begin()
        _ = try first.update(seller(1), [1: .string("first")], in: sellers)
        _ = try second.update(seller(1), [1: .string("second")], in: sellers)
        try second.commit()
        let error = #expect(throws: StorageError.self) { try first.commit() }
        #expect(error?.code == .busy)
        #expect(try name(1) == .string("second"))
        #expect(throws: StorageError(.unsupported, message: "The transaction is over.")) { try first.commit() }
    }

    @Test func `keys and unique values that both take are refused to the later one`() throws {
        let first = store.begin()
        let second = store.begin()
        for transaction in [first, second] {
            _ = try transaction.insert([0: .integer(9)], into: sellers)
            _ = try transaction.insert([1: .string("number")], into: orders)
        }
        try first.commit()
        #expect(#expect(throws: StorageError.self) { try second.commit() }?.code == .duplicateKey)
        let third = store.begin()
        let fourth = store.begin()
        for transaction in [third, fourth] { _ = try transaction.insert([1: .string("other")], into: orders) }
        try fourth.commit()
        #expect(#expect(throws: StorageError.self) { try third.commit() }?.code == .duplicateValue)
    }

    @Test func `a reference to what another transaction deletes is refused to the later one`() throws {
        for deletesFirst in [true, false] {
            let insertion = store.begin()
            let deletion = store.begin()
            let key: Int64 = deletesFirst ? 1 : 2
            _ = try insertion.insert([3: .integer(key)], into: orders)
            _ = try deletion.delete(seller(key), in: sellers)
            let (first, second) = deletesFirst ? (deletion, insertion) : (insertion, deletion)
            try first.commit()
            #expect(#expect(throws: StorageError.self) { try second.commit() }?.code == .missingReference)
        }
    }

    @Test func `an early transaction that commits late is delivered once, to whoever read before its commit`() throws {
        let start = try store.read { try $0.position() }
        let early = store.begin()
        _ = try early.update(seller(1), [1: .string("early")], in: sellers)
        try store.write { _ = try $0.update(seller(2), [1: .string("between")], in: sellers) }
        #expect(try changes(since: start) == [.integer(2)])
        let between = try store.read { try $0.position() }
        try early.commit()
        #expect(try changes(since: between) == [.integer(1)])
        #expect(try changes(since: start) == [.integer(2), .integer(1)])
        #expect(try changes(since: try store.read { try $0.position() }) == [])
    }

    @Test func `a page of the feed is followed by what commits after it, however early that began`() throws {
        let start = try store.read { try $0.position() }
        let early = store.begin()
        _ = try early.update(seller(1), [1: .string("early")], in: sellers)
        try store.write { writer in
            for number in [2, 3] as [Int64] { _ = try writer.update(seller(number), [1: .string("x")], in: sellers) }
        }
        var query = ChangeQuery(set: sellers, since: start, limit: 1)
        var keys: [Value] = []
        query.after = try store.read { try $0.changes(query) { keys.append($0.key?.values[0] ?? .null) } }
        try early.commit()
        while query.after != nil {
            query.after = try store.read { try $0.changes(query) { keys.append($0.key?.values[0] ?? .null) } }
        }
        #expect(keys == [.integer(2), .integer(3), .integer(1)])
    }

    @Test func `write runs its closure again when a transaction came in between`() throws {
        var runs = 0
        try store.write { writer in
            runs += 1
            if runs == 1 {
                let other = store.begin()
                _ = try other.update(seller(1), [1: .string("other")], in: sellers)
                try other.commit()
            }
            let found = try name(1, writer)
            _ = try writer.update(seller(1), [1: .string("\(found ?? .null)")], in: sellers)
        }
        #expect(runs == 2)
        #expect(try name(1) == .string("string(\"other\")"))
    }

    @Test func `equal seeds make equal stores`() throws {
        func run() throws -> [String] {
            let store = MemoryStore(model: StoreFixture.model, random: SeededGenerator(seed: 7))
            try store.write { writer in
                for number in 0..<20 { _ = try writer.insert([0: .integer(Int64(number))], into: sellers) }
            }
            let recorder = RowRecorder()
            _ = try store.read { try $0.read(ReadPlan(model: store.model, set: sellers), into: recorder) }
            let position = try store.read { try $0.position() }
            return recorder.lines + recorder.etags.map { "\($0 as Any)" } + ["\(position)"]
        }
        #expect(try run() == run())
    }
}
