// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineStorage

@testable import TidelineStore

/// What becomes of the first three films by rank, 1 to 3, when some of all films change.
struct ListWindowTests {
    private typealias Film = ListRow<[String: Value]>

    private let state: ListState<[String: Value]>

    init() throws {
        let shelf = try ListShelf()
        let list = try shelf.store.list(of: shelf.plan(by: [(.rank, false)], top: 3))
        var state = ListState(list.reader.plan)
        #expect(state.replace(with: (1...3).map { Self.film($0, rank: $0) }).changes.count == 4)
        self.state = state
    }

    private static func film(_ id: Int64, rank: Int64, print: Int = 0) -> Film {
        Film(key: ListShelf.key(id), order: [.integer(rank), .integer(id)], print: print, row: nil)
    }

    /// - Parameter films: what is found of `keys`.
    private func window(_ keys: Set<Int64>, _ films: Film...) throws -> ListState<[String: Value]>.Window {
        let found = Dictionary(films.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
        return try #require(state.window(3, Set(keys.map(ListShelf.key)), found))
    }

    @Test(arguments: [1, 3] as [Int64])
    func `a film that looks otherwise keeps its place, the last one too`(id: Int64) throws {
        let window = try window([id], Self.film(id, rank: id, print: 7))
        #expect(window.keys == [ListShelf.key(id)])
        #expect(window.found.mapValues(\.print) == [ListShelf.key(id): 7])
        #expect(window.follow == nil)
    }

    @Test func `a film that goes makes room for one behind the last that stayed`() throws {
        let first = try window([1])
        #expect(first.keys == [ListShelf.key(1)])
        #expect(first.found.isEmpty)
        #expect(first.follow?.order == [.integer(3), .integer(3)])
        #expect(first.follow?.count == 1)
        let last = try window([2, 3], Self.film(3, rank: 9))
        #expect(last.found.isEmpty)
        #expect(last.follow?.order == [.integer(1), .integer(1)])
        #expect(last.follow?.count == 2)
    }

    @Test func `a film that comes drives the last one out, itself where it is the last`() throws {
        let between = try window([8], Self.film(8, rank: 2))
        #expect(between.keys == [ListShelf.key(8), ListShelf.key(3)])
        #expect(Set(between.found.keys) == [ListShelf.key(8)])
        #expect(between.follow == nil)
        let behind = try window([8], Self.film(8, rank: 4))
        #expect(behind.keys == [ListShelf.key(8)])
        #expect(behind.found.isEmpty)
        #expect(behind.follow == nil)
    }

    @Test func `where no film stays, nothing tells the end of the list`() {
        let keys = Set((1...3).map { ListShelf.key($0) })
        let found = [ListShelf.key(1): Self.film(1, rank: 5)]
        #expect(state.window(3, keys, found) == nil)
    }
}
