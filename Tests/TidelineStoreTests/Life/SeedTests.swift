// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import TidelineModel
import TidelineTestSupport

@testable import TidelineStore

struct SeedTests {
    let folder: TestFolder
    var seed: String { folder.file("seed.tideline") }
    var path: String { folder.file("users/own.tideline") }
    let a = Key([.string("a")])

    /// Nine tags, in a seed.
    init() throws {
        folder = try TestFolder()
        try FileManager.default.createDirectory(atPath: folder.file("users"), withIntermediateDirectories: true)
        let maker = try LocalStore.open(path: folder.file("maker"), model: Fixture.model)
        try maker.write { transaction in
            for code in "abcdefghi" { try transaction.insert(["Code": .string(String(code))], into: "Tags") }
        }
        try maker.exportSeed(to: folder.file("seed.tideline"))
        #expect(try maker.status().pendingTransactions == 1)
        try maker.close()
    }

    @Test(.covers("MD-I33"))
    func `the first opening copies the seed, the second keeps what the user did`() throws {
        let store = try LocalStore.open(path: path, model: Fixture.model, seed: seed)
        #expect(try Fixture.rows(store, "Tags").count == 9)
        #expect(try store.waitingChanges() == [])
        try store.write { try $0.delete(a, in: "Tags") }
        try store.close()
        let again = try LocalStore.open(path: path, model: Fixture.model, seed: seed)
        #expect(try Fixture.rows(again, "Tags").count == 8)
        #expect(try again.waitingChanges().map(\.operation) == [.delete])
    }

    @Test(.covers("MD-I33"))
    func `a missing seed is an error, and nothing is made`() throws {
        #expect(code { try LocalStore.open(path: path, model: Fixture.model, seed: folder.file("none")) } == .notFound)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("users")) == [])
    }

    @Test func `a seed with changes that wait is refused with their list`() throws {
        let draft = try LocalStore.open(path: folder.file("draft"), model: Fixture.model)
        try draft.write { try $0.insert(["Code": .string("x")], into: "Tags") }
        try draft.close()
        let error = #expect(throws: LocalStoreError.self) {
            try LocalStore.open(path: path, model: Fixture.model, seed: folder.file("draft"))
        }
        #expect(error?.code == .pendingChanges)
        #expect(error?.changes.map(\.key) == [Key([.string("x")])])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("users")) == [])
    }

    @Test func `each store that begins as a seed is a client of its own`() throws {
        let one = try LocalStore.open(path: path, model: Fixture.model, seed: seed)
        let two = try LocalStore.open(path: path + "2", model: Fixture.model, seed: seed)
        #expect(try one.identity().clientID != two.identity().clientID)
        #expect(try one.identity().previousClientID == nil)
    }

    @Test func `an older seed is brought to the model of the app`() throws {
        let store = try LocalStore.open(
            path: path,
            model: NextModel.withCaption,
            seed: seed,
            migrations: [NextModel.rename]
        )
        #expect(try Fixture.rows(store, "Tags")[0].keys.contains("Caption"))
        try store.write { try $0.update(a, ["Caption": .string("x")], in: "Tags") }
        #expect(try store.reset(toSeed: seed, discardingChanges: true).count == 1)
        #expect(try Fixture.rows(store, "Tags").map { $0["Caption"] } == Array(repeating: .null, count: 9))
    }

    @Test(.covers("MD-I34"))
    func `a reset brings the seed back, and loses no change silently`() throws {
        let store = try LocalStore.open(path: path, model: Fixture.model, seed: seed)
        let client = try store.identity().clientID
        try store.write { transaction in
            try transaction.delete(a, in: "Tags")
            try transaction.insert(["Code": .string("new")], into: "Tags")
        }
        let error = #expect(throws: LocalStoreError.self) { try store.reset(toSeed: seed) }
        #expect(error?.code == .pendingChanges)
        #expect(error?.changes.map(\.operation) == [.delete, .insert])
        #expect(error?.message.contains("2 changes") == true)
        #expect(try Fixture.rows(store, "Tags").count == 9)
        #expect(try store.status().pendingTransactions == 1)

        let discarded = try store.reset(toSeed: seed, discardingChanges: true)
        #expect(discarded.map(\.key) == [a, Key([.string("new")])])
        #expect(try Fixture.rows(store, "Tags").map { $0["Code"] }.first == .string("a"))
        #expect(try Fixture.rows(store, "Tags").count == 9)
        #expect(try store.waitingChanges() == [])
        #expect(try store.identity().clientID == client)
        // Numbers are never used again.
        try store.write { try $0.delete(a, in: "Tags") }
        #expect(try store.pendingTransactions().map(\.number) == [2])
        #expect(try store.check().isSound)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("users")).count <= 3)
    }

    @Test func `a reset to a seed that is missing, or of another model, changes nothing`() throws {
        let store = try LocalStore.open(path: path, model: NextModel.withNotes)
        try store.write { try $0.insert(["Code": .string("x")], into: "Tags") }
        #expect(code { try store.reset(toSeed: folder.file("none"), discardingChanges: true) } == .notFound)
        try store.close()
        let plain = try LocalStore(path: path)
        #expect(code { try plain.reset(toSeed: seed, discardingChanges: true) } == .migrationNeeded)
        #expect(try Fixture.rows(plain, "Tags").map { $0["Code"] } == [.string("x")])
        try plain.write { try $0.insert(["Code": .string("y")], into: "Tags") }
    }

    @Test func `live results see a reset`() async throws {
        let store = try LocalStore.open(path: path, model: Fixture.model, seed: seed)
        try await store.write { [a] in try $0.delete(a, in: "Tags") }
        var results = try store.results(of: Fixture.plan(store, "Tags")).makeAsyncIterator()
        #expect(try await results.next()?.rows.count == 8)
        try store.reset(toSeed: seed, discardingChanges: true)
        #expect(try await results.next()?.rows.count == 9)
    }

    @Test func `no byte of what a seed leaves out is in its file`() throws {
        let maker = try LocalStore.open(path: folder.file("other"), model: Fixture.model)
        try maker.write { try $0.insert(["Code": .string("a"), "Title": .string("a hidden title")], into: "Tags") }
        try maker.write { try $0.update(a, ["Title": .string("shown")], in: "Tags") }
        let given = folder.file("given.tideline")
        try maker.exportSeed(to: given)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: given))
        #expect(bytes.range(of: Data("shown".utf8)) != nil)
        #expect(bytes.range(of: Data("hidden".utf8)) == nil)
        let store = try LocalStore.open(path: path, model: Fixture.model, seed: given)
        #expect(try Fixture.rows(store, "Tags").map { $0["Title"] } == [.string("shown")])
        #expect(try store.check().isSound)
    }
}
