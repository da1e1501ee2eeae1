// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import TidelineModel

@testable import TidelineStore

struct StoreFileTests {
    let folder: TestFolder

    init() throws { folder = try TestFolder() }

    func code<Result>(_ body: () throws -> Result) -> LocalStoreError.Code? {
        do {
            _ = try body()
            return nil
        } catch { return (error as? LocalStoreError)?.code }
    }

    @Test func `a store opens again with its model and its rows`() throws {
        let store = try Fixture.store(folder)
        try store.write { try $0.insert(["Code": .string("a")], into: "Tags") }
        let model = store.model
        try store.close()
        #expect(code { _ = try store.status() } == .closed)
        let again = try LocalStore(path: folder.file("a.tideline"))
        #expect(again.model == model)
        #expect(again.model.sets[1].names.database == "Orders")
        #expect(again.model.sets[2].type.properties[2].storage == .decimalScaled)
        #expect(try Fixture.rows(again, "Tags").count == 1)
    }

    @Test func `foreign, missing, newer and damaged files are told apart and not touched`() throws {
        #expect(code { _ = try LocalStore(path: folder.file("none")) } == .notFound)
        let text = folder.file("text")
        try Data(repeating: 65, count: 500).write(to: URL(fileURLWithPath: text))
        #expect(code { _ = try LocalStore(path: text) } == .foreignFile)
        #expect(try Data(contentsOf: URL(fileURLWithPath: text)).count == 500)
        let store = try Fixture.store(folder)
        #expect(code { _ = try Fixture.store(folder) } == .exists)
        try store.close()
        let path = folder.file("a.tideline")
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        bytes[63] = 9
        let newer = folder.file("newer")
        try bytes.write(to: URL(fileURLWithPath: newer))
        #expect(code { _ = try LocalStore(path: newer) } == .newerFormat)
        bytes[63] = 1
        bytes[71] = 0
        try bytes.write(to: URL(fileURLWithPath: newer))
        #expect(code { _ = try LocalStore(path: newer) } == .foreignFile)
        bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        for place in 100..<min(bytes.count, 60_000) { bytes[place] = 0xA5 }
        let damaged = folder.file("damaged")
        try bytes.write(to: URL(fileURLWithPath: damaged))
        #expect(code { _ = try LocalStore(path: damaged) } == .corrupt)
    }

    @Test func `a full disk refuses the write and leaves the store usable`() throws {
        let store = try Fixture.store(folder)
        try store.write { try $0.insert(["Code": .string("before")], into: "Tags") }
        try store.writing { connection in
            let pages = try connection.integer("PRAGMA page_count")
            try connection.run("PRAGMA max_page_count = \(pages + 2)")
            return ((), [])
        }
        let big = Value.string(String(repeating: "x", count: 100_000))
        #expect(
            code { try store.write { try $0.insert(["Code": .string("big"), "Title": big], into: "Tags") } } == .full
        )
        #expect(try Fixture.rows(store, "Tags").count == 1)
        try store.writing { connection in
            try connection.run("PRAGMA max_page_count = 1000000")
            return ((), [])
        }
        try store.write { try $0.insert(["Code": .string("big"), "Title": big], into: "Tags") }
        #expect(try store.status().pendingTransactions == 2)
    }

    @Test func `two openings of one file see each other's writes and share numbers`() throws {
        let one = try Fixture.store(folder)
        let two = try LocalStore(path: folder.file("a.tideline"))
        let first = try one.write { try $0.insert([:], into: "Orders") }
        let second = try two.write { try $0.insert([:], into: "Orders") }
        #expect([first, second] == [Key([.integer(-1)]), Key([.integer(-2)])])
        #expect(try one.pendingTransactions().map(\.number) == [1, 2])
    }

    @Test func `what tells a file from its copies is for its owner alone`() throws {
        let settings = StoreSettings(identityFolder: folder.file("new/identities"))
        let store = try Fixture.store(folder, settings: settings)
        try store.write { try $0.insert([:], into: "Orders") }
        try Fixture.send(store)
        func mode(_ path: String) throws -> Int? {
            try FileManager.default.attributesOfItem(atPath: folder.file(path))[.posixPermissions] as? Int
        }
        #expect(try mode("new") == 0o700)
        #expect(try mode("new/identities") == 0o700)
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.file("new/identities"))
        #expect(files == ["\(try store.identity().clientID.text).store"])
        #expect(try mode("new/identities/\(files.first ?? "")") == 0o600)
    }

    @Test func `the next nonce is written over the one before, and with half of it nothing is lost`() throws {
        let settings = StoreSettings(identityFolder: folder.file("identities"))
        let store = try Fixture.store(folder, settings: settings)
        let client = try store.identity().clientID
        let note = folder.file("identities/\(client.text).store")
        func push() throws {
            try store.write { try $0.insert([:], into: "Orders") }
            try Fixture.send(store)
        }
        func file() throws -> Int? {
            try FileManager.default.attributesOfItem(atPath: note)[.systemFileNumber] as? Int
        }
        // The first push of a store notes two nonces for one.
        try push()
        let (number, before) = (try file(), try String(contentsOfFile: note, encoding: .utf8))
        try push()
        let after = try String(contentsOfFile: note, encoding: .utf8)
        #expect(try file() == number)
        #expect(after != before && after.utf8.count == before.utf8.count)
        #expect(after.split(separator: "\n").last == before.split(separator: "\n").last)
        try store.write { try $0.insert([:], into: "Orders") }
        let waiting = try store.pendingTransactions().map(\.number)
        try store.close()
        // The file has the nonce that was the second of the two before.
        for half in [20, 60] {
            try (after.prefix(half) + before.dropFirst(half)).write(toFile: note, atomically: false, encoding: .utf8)
            let again = try LocalStore(path: folder.file("a.tideline"), settings: settings)
            #expect(try again.identity().clientID == client)
            try again.close()
        }
        // A disk that writes the end first.
        try (before.prefix(20) + after.dropFirst(20)).write(toFile: note, atomically: false, encoding: .utf8)
        let again = try LocalStore(path: folder.file("a.tideline"), settings: settings)
        #expect(try again.identity().clientID != client)
        #expect(try again.identity().clientID(of: waiting[0]) == client)
        #expect(try again.pendingTransactions().map(\.number) == waiting)
    }

    @Test func `what is killed between a push and the note of it is no copy, and what is older is`() throws {
        let settings = StoreSettings(identityFolder: folder.file("identities"))
        let store = try Fixture.store(folder, settings: settings)
        let client = try store.identity().clientID
        let note = folder.file("identities/\(client.text).store")
        func nonces() throws -> [String] {
            let lines = try String(contentsOfFile: note, encoding: .utf8).split(separator: "\n")
            return lines.first?.split(separator: " ").map(String.init) ?? []
        }
        func push(_ store: LocalStore) throws {
            try store.write { try $0.insert([:], into: "Orders") }
            try Fixture.send(store)
        }
        try push(store)
        let first = try nonces()
        #expect(first.count == 2)
        #expect(try store.identity().nonce.text == first[0])
        let kept = try Data(contentsOf: URL(fileURLWithPath: note))
        try store.close()
        try FileManager.default.copyItem(atPath: folder.file("a.tideline"), toPath: folder.file("older"))
        let later = try LocalStore(path: folder.file("a.tideline"), settings: settings)
        try push(later)
        // The nonce that was noted before is the file's now, and the next is noted.
        let second = try nonces()
        #expect(second[0] == first[1] && second[1] != second[0])
        #expect(try later.identity().nonce.text == first[1])
        try later.close()

        // As it is where the program was killed before it noted what the file has.
        try kept.write(to: URL(fileURLWithPath: note))
        let again = try LocalStore(path: folder.file("a.tideline"), settings: settings)
        #expect(try again.identity().clientID == client)
        try push(again)
        #expect(try nonces()[0] == again.identity().nonce.text)
        #expect(try again.identity().nonce.text != first[1])
        try again.close()

        try FileManager.default.removeItem(atPath: folder.file("a.tideline"))
        try FileManager.default.moveItem(atPath: folder.file("older"), toPath: folder.file("a.tideline"))
        #expect(try LocalStore(path: folder.file("a.tideline"), settings: settings).identity().clientID != client)
    }

    @Test func `a push that another process got ahead of takes no nonce that the file had before`() throws {
        let settings = StoreSettings(identityFolder: folder.file("identities"))
        let store = try Fixture.store(folder, settings: settings)
        try store.write { try $0.insert([:], into: "Orders") }
        let other = try LocalStore(path: folder.file("a.tideline"), settings: settings)
        let renewal = try #require(try store.beginNonce())
        try Fixture.send(other)
        let nonce = try store.identity().nonce
        #expect(nonce.text != renewal.old)
        try store.write { try $0.insert([:], into: "Orders") }
        let late = FrozenGroup(number: 2, requestID: GUID(high: 1, low: 2), bytes: [1])
        let waiting = try store.pendingTransactions()
        #expect(try store.freeze([late], of: waiting, content: nil, renewal) == nil)
        #expect(try store.identity().nonce == nonce)
        #expect(try store.pendingTransactions().map { $0.frozen == nil } == [false, true])
        try store.freeze([late], of: waiting)
        #expect(try store.identity().nonce != nonce)
        #expect(try store.pendingTransactions().allSatisfy { $0.frozen != nil })
    }

    @Test func `a note that comes after another process has sent something is left out`() throws {
        let settings = StoreSettings(identityFolder: folder.file("identities"))
        let store = try Fixture.store(folder, settings: settings)
        let client = try store.identity().clientID
        let note = folder.file("identities/\(client.text).store")
        let other = try LocalStore(path: folder.file("a.tideline"), settings: settings)
        func group(_ number: Int64) -> [FrozenGroup] {
            [FrozenGroup(number: number, requestID: GUID(high: 1, low: UInt64(number)), bytes: [1])]
        }
        try store.write { try $0.insert([:], into: "Orders") }
        try store.write { try $0.insert([:], into: "Orders") }
        // Its file has the nonce, and what comes next is not noted yet; the other notes it for itself.
        let first = try #require(try store.beginNonce())
        #expect(try store.freeze(group(1), of: store.pendingTransactions(), content: nil, first) != nil)
        let next = try #require(try other.beginNonce())
        #expect(next.old == first.new)
        // The first goes on, and notes another next one; so the other has to look again.
        try store.endNonce(first)
        let waiting = try other.pendingTransactions()
        #expect(try other.freeze(group(2), of: waiting, content: nil, next) == nil)
        let second = try #require(try other.beginNonce())
        #expect(second.old == first.new && second.new != next.new)
        #expect(try other.freeze(group(2), of: waiting, content: nil, second) != nil)
        // A note that comes later still would take away that of the nonce which the file has.
        let noted = try String(contentsOfFile: note, encoding: .utf8)
        try store.endNonce(first)
        #expect(try String(contentsOfFile: note, encoding: .utf8) == noted)
        try store.close()
        try other.close()
        #expect(try LocalStore(path: folder.file("a.tideline"), settings: settings).identity().clientID == client)
    }

    @Test func `once a push is on its way, an older copy of the file is noticed, answered or not`() throws {
        let settings = StoreSettings(identityFolder: folder.file("identities"))
        let store = try Fixture.store(folder, settings: settings)
        let client = try store.identity().clientID
        try store.write { try $0.insert([:], into: "Orders") }
        try store.close()
        try FileManager.default.copyItem(atPath: folder.file("a.tideline"), toPath: folder.file("older"))
        let sender = try LocalStore(path: folder.file("a.tideline"), settings: settings)
        let group = FrozenGroup(number: 1, requestID: GUID(high: 1, low: 1), bytes: [1])
        try sender.freeze([group], of: sender.pendingTransactions())
        try sender.close()
        try FileManager.default.removeItem(atPath: folder.file("a.tideline"))
        try FileManager.default.moveItem(atPath: folder.file("older"), toPath: folder.file("a.tideline"))
        #expect(try LocalStore(path: folder.file("a.tideline"), settings: settings).identity().clientID != client)
    }

    @Test func `a copy of the file gets another client identity`() throws {
        let settings = StoreSettings(identityFolder: folder.path)
        let store = try Fixture.store(folder, settings: settings)
        let client = try store.identity().clientID
        try store.write { try $0.insert([:], into: "Orders") }
        try store.close()
        let again = try LocalStore(path: folder.file("a.tideline"), settings: settings)
        #expect(try again.identity().clientID == client)
        try again.close()
        try FileManager.default.copyItem(atPath: folder.file("a.tideline"), toPath: folder.file("copy"))
        let copy = try LocalStore(path: folder.file("copy"), settings: settings)
        #expect(try copy.identity().clientID != client)
        #expect(try copy.identity().previousClientID == client)
        let original = try LocalStore(path: folder.file("a.tideline"), settings: settings)
        #expect(try original.identity().clientID == client)
        // An older state of the original, put back after it has sent something.
        try original.close()
        try FileManager.default.copyItem(atPath: folder.file("a.tideline"), toPath: folder.file("backup"))
        let sender = try LocalStore(path: folder.file("a.tideline"), settings: settings)
        try Fixture.send(sender)
        #expect(try sender.identity().clientID == client)
        try sender.close()
        try FileManager.default.removeItem(atPath: folder.file("a.tideline"))
        try FileManager.default.moveItem(atPath: folder.file("backup"), toPath: folder.file("a.tideline"))
        #expect(try LocalStore(path: folder.file("a.tideline"), settings: settings).identity().clientID != client)
    }
}
