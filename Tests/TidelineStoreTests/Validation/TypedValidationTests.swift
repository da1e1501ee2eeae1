// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel

@testable import TidelineStore

/// A movie as an app's struct, in the order of the properties.
struct Movie: Entity {
    static let entitySet = Cinema.model.sets[1]
    var id: Int64
    var title: String
    var price = EdmDecimal(coefficient: 990, scale: 2)
    var rating: String?
    var year: Int64?
    var studio: Int64?
    var code: String?
    var restored: Int64?
    var mark: Int64?

    init(_ id: Int64, _ title: String) { (self.id, self.title) = (id, title) }

    init(row: inout RowCursor) throws {
        id = try Int64.read(from: &row)
        title = try String.read(from: &row)
        price = try EdmDecimal.read(from: &row)
        rating = try String?.read(from: &row)
        year = try Int64?.read(from: &row)
        studio = try Int64?.read(from: &row)
        code = try String?.read(from: &row)
        restored = try Int64?.read(from: &row)
        mark = try Int64?.read(from: &row)
    }

    func bind(into binder: inout Binder) {
        id.bind(into: &binder)
        title.bind(into: &binder)
        price.bind(into: &binder)
        rating.bind(into: &binder)
        year.bind(into: &binder)
        studio.bind(into: &binder)
        code.bind(into: &binder)
        restored.bind(into: &binder)
        mark.bind(into: &binder)
    }
}

struct TypedValidationTests {
    let folder: TestFolder
    let store: LocalStore

    init() throws {
        folder = try TestFolder()
        store = try Cinema.store(folder)
    }

    @Test func `typed entities are checked like dynamic rows, all of them`() throws {
        var cheap = Movie(2, "M")
        (cheap.price, cheap.rating) = (EdmDecimal(coefficient: -1, scale: 2), "X")
        var late = Movie(3, "Metropolis restored at last")
        (late.year, late.restored) = (1927, 1 << 40)
        let error = Cinema.error {
            try store.write { tx in
                try tx.insert(contentsOf: [Movie(1, ""), cheap, late])
                try tx.insert(Movie(4, "a\u{0}"))
                try tx.insert(Movie(5, "Fine"))
                try tx.insert(Movie(5, "Taken"))
            }
        }
        #expect(
            error?.failures.map(line) == [
                "Movies(1) [Title] pattern", "Movies(2) [Price] minimum", "Movies(2) [Rating] allowedValues",
                "Movies(3) [Title] maxLength", "Movies(3) [Restored] range", "Movies(4) [Title] range",
                "Movies(5) [MovieId] key",
            ]
        )
        #expect(try store.count(Fixture.plan(store, "Movies")) == 0)
    }

    @Test func `a typed update puts right what an insert broke, and only that`() throws {
        var movie = Movie(1, "")
        movie.year = 1 << 40
        let error = Cinema.error {
            try store.write { tx in
                try tx.insert(movie)
                movie.year = nil
                try tx.update(movie)
            }
        }
        #expect(error?.failures.map(line) == ["Movies(1) [Title] pattern"])
        movie.title = "Freaks"
        movie.year = 1932
        try store.write { tx in
            try tx.insert(Movie(1, ""))
            try tx.update(movie)
        }
        #expect(try Fixture.rows(store, "Movies").map { $0["Year"] } == [.integer(1932)])
    }

    @Test func `a typed update is judged by what it changes`() throws {
        let other = try TestFolder()
        let remote = try Cinema.store(other, origin: StoreOrigin(serviceURL: "http://x/"))
        let long = String(repeating: "x", count: 30)
        let row: [Value] = [
            .integer(1), .string(long), Cinema.price(5), .string("X"), .null, .null, .null, .null,
        ]
        try Fixture.load(remote, "Movies", [(row, 1)])
        var movie = try #require(try remote.read { try $0.fetch(Movie.self, key: Key([.integer(1)])) })
        movie.year = 1950
        try remote.write { _ = try $0.update(movie) }
        #expect(try Fixture.rows(remote, "Movies")[0]["Title"] == .string(long))
        movie.title = long + "y"
        (movie.year, movie.restored) = (1 << 40, 1949)
        let error = Cinema.error { try remote.write { try $0.update(movie) } }
        #expect(error?.failures.map(line) == ["Movies(1) [Year] range", "Movies(1) [Title] maxLength"])
        #expect(try Fixture.rows(remote, "Movies")[0]["Year"] == .integer(1950))
    }
}
