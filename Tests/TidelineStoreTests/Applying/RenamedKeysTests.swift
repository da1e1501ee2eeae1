// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineTestSupport
import Testing

@testable import TidelineStore

/// The keys that the server gave in the place of temporary ones, for whoever still knows an entity by the old.
struct RenamedKeysTests {
    let folder: TestFolder
    let store: LocalStore
    let temporary = Key([.integer(-1)])
    let final = Key([.integer(71)])

    /// A track of the key -1, sent and accepted as 71.
    init() throws {
        folder = try TestFolder()
        store = try Conference.store(folder)
        #expect(try store.write { try $0.insert(["Name": .string("A")], into: "Tracks") } == temporary)
    }

    private func accept(_ store: LocalStore) throws {
        try Fixture.send(store)
        try store.settle([
            .accepted(
                number: 1,
                rows: [
                    AcceptedRow(
                        place: 0,
                        key: final,
                        etag: Fixture.etag(9),
                        values: [.integer(71), .string("A"), .null]
                    )
                ]
            )
        ])
    }

    @Test func `a reader and a transaction follow an old key, also after the file was opened again`() throws {
        #expect(try store.read { try $0.currentKey(temporary, in: "Tracks") } == temporary)
        try accept(store)
        #expect(try store.read { try $0.currentKey(temporary, in: "Tracks") } == final)
        #expect(try store.read { try $0.currentKey(Key([.integer(-2)]), in: "Tracks") } == Key([.integer(-2)]))
        #expect(try store.read { try $0.currentKey(temporary, in: "Sessions") } == temporary)
        #expect(try store.read { try $0.currentKey(temporary, in: "Nowhere") } == temporary)
        #expect(try store.read { try $0.currentKey(Key([]), in: "Tracks") } == Key([]))
        try store.close()
        let again = try LocalStore(path: folder.file("conference.tideline"))
        try again.write { transaction in
            let key = try transaction.currentKey(temporary, in: "Tracks")
            #expect(key == final)
            #expect(try transaction.update(key, ["Name": .string("B")], in: "Tracks"))
        }
        #expect(try again.read { try $0.entity(final, in: "Tracks") }?["Name"] == .string("B"))
    }

    @Test func `a negative key that the server gives is no other row's temporary one`() throws {
        // As sequences that count down give them.
        try store.write { _ = try $0.insert(["Name": .string("B")], into: "Tracks") }
        try Fixture.send(store)
        func accepted(_ number: Int64, _ name: String, _ key: Int64) -> TransactionOutcome {
            let values: [Value] = [.integer(key), .string(name), .null]
            let row = AcceptedRow(place: 0, key: Key([.integer(key)]), etag: Fixture.etag(9), values: values)
            return .accepted(number: number, rows: [row])
        }
        try store.settle([accepted(1, "A", -2), accepted(2, "B", -1)])
        let names = try store.read { reader in
            try (-5 ... -1).map { try reader.entity(Key([.integer($0)]), in: "Tracks")?["Name"] }
        }
        #expect(names == [nil, nil, nil, .string("A"), .string("B")])
        #expect(try store.write { try $0.insert(["Name": .string("C")], into: "Tracks") } == Key([.integer(-5)]))
    }

    @Test func `content that replaces the store's has its temporary keys for itself`() throws {
        let path = folder.file("case")
        try store.exportBriefcase(to: path, form: .folder, version: "1")
        try accept(store)
        #expect(try store.importBriefcase(from: path, version: "1") == .imported(properties: [:]))
        #expect(try store.read { try $0.currentKey(temporary, in: "Tracks") } == temporary)
        // Also when it is gone: it was never the row of the key 71.
        try store.write { _ = try $0.delete(temporary, in: "Tracks") }
        #expect(try store.read { try $0.currentKey(temporary, in: "Tracks") } == temporary)
    }
}
