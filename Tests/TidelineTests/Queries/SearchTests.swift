// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import Tideline
import TidelineModel

struct SearchTests {
    private let world: QueryStore
    private var store: LocalStore { world.store }

    init() throws {
        world = try QueryStore.songs([
            Song(id: 1, title: "Purple Rain", artist: "Prince"), Song(id: 2, title: "Rain", artist: "Beatles"),
            Song(id: 3, title: "Purple Haze", artist: "Hendrix"),
            Song(id: 4, title: "Raincoat", artist: "Café Society"),
            Song(id: 5, title: "Untitled"),
        ])
    }

    private func found(_ words: String) throws -> [Int32] {
        try store.fetch(Song.all.matching(words) { [$0.title, $0.artist] }).map(\.id)
    }

    @Test func `whole words in any case and without accents, in any of the texts`() throws {
        #expect(try found("rain") == [1, 2])
        #expect(try found("CAFE") == [4])
        #expect(try found("prince") == [1])
        #expect(try found("nothing").isEmpty)
    }

    @Test func `words side by side are wanted all, with OR one of them, with a minus none, in quotes together`() throws
    {
        #expect(try found("purple rain") == [1])
        #expect(try found("purple OR rain") == [1, 2, 3])
        #expect(try found("purple -rain") == [3])
        #expect(try found("rain NOT beatles") == [1])
        #expect(try found("\"rain purple\"").isEmpty)
        #expect(try found("\"purple rain\"") == [1])
        // A minus in quotes is none.
        #expect(try found("\"purple -rain\"") == [1])
    }

    @Test func `a search is one condition beside others`() throws {
        let query = Song.where { $0.id > 1 }.matching("purple") { [$0.title] }.matching("hendrix") { [$0.artist] }
        #expect(try store.fetch(query).map(\.id) == [3])
        #expect(try store.count(query) == 1)
        #expect(try store.max(of: query) { $0.title } == "Purple Haze")
    }

    @Test func `what the model searches is searched where no texts are named`() throws {
        let refusal = #expect(throws: ExpressionError.self) { try store.fetch(Song.all.matching("rain")) }
        #expect(refusal?.code == .unsupported)
        #expect(
            refusal?.message == "Songs has no texts that are searched; name them: matching(words) { [$0.title] }."
        )
    }

    @Test(arguments: ["\"open", "(rain"])
    func `a text that is no search is told when it is asked`(words: String) throws {
        let refusal = #expect(throws: ExpressionError.self) { try found(words) }
        #expect(refusal?.code == .invalidLiteral)
        #expect(refusal?.message.hasPrefix("'\(words)' is no search: ") == true)
    }

    @Test func `a term that is no property of the entity is refused`() throws {
        #expect(throws: ExpressionError.self) {
            try store.fetch(Song.all.matching("rain") { [$0.title.lowercased()] })
        }
    }
}
