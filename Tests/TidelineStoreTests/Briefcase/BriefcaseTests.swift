// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import TidelineModel
import TidelineTestSupport

@testable import TidelineStore

struct BriefcaseTests {
    let folder: TestFolder
    let store: LocalStore
    let a = Key([.string("a")])

    /// Rows of all kinds, a base value, a conflict, something in quarantine, and a change that waits.
    init() throws {
        folder = try TestFolder()
        store = try LocalStore.open(path: folder.file("a.tideline"), model: Fixture.model)
        try Fixture.load(
            store,
            "Tags",
            [
                ([.string("a"), .integer(.max), .string("A \"quoted\"\nline"), .null], 1),
                ([.string("b"), .integer(2), .string("B"), .null], 2),
                ([.string("c"), .integer(3), .string("C"), .null], 3),
            ]
        )
        try store.write { try $0.update(Key([.string("a")]), ["Title": .string("mine")], in: "Tags") }
        try Fixture.stage(store, "Tags", [([.string("a"), .integer(1), .string("theirs"), .null], 9)])
        try store.write { try $0.update(Key([.string("c")]), ["Title": .string("C2")], in: "Tags") }
        try Fixture.send(store)
        let last = try #require(try store.pendingTransactions().last?.number)
        try store.settle([.refused(number: last, code: "Rule", message: "No.", status: 422)])
        try store.write { transaction in
            try transaction.update(Key([.string("b")]), ["Title": .string("B2")], in: "Tags")
            let client = GUID(high: 1, low: 2)
            try transaction.insert(
                ["ClientId": .guid(client), "Name": .string("Ada"), "Note": .string("local")],
                into: "Clients"
            )
            let order = try transaction.insert(
                [
                    "OrderDate": .dateTimeOffset(DateTimeOffset(seconds: 1_700_000_000, nanoseconds: 5_000_000)),
                    "Client": .guid(client),
                ],
                into: "Orders"
            )
            try transaction.insert(
                [
                    "Order": order.values[0], "Total": .decimal(EdmDecimal(coefficient: 12345, scale: 4)),
                    "Weight": .decimal(EdmDecimal(coefficient: 1, scale: 20)),
                ],
                into: "Details"
            )
        }
        try Fixture.stage(store, "Tags", [([.string("b"), .integer(2), .string("B"), .integer(5)], 8)])
    }

    /// Everything of a store that a briefcase carries.
    private func content(_ store: LocalStore) throws -> [String] {
        var lines: [String] = []
        for set in store.model.sets.map(\.names.wire) {
            lines += try Fixture.rows(store, set).map { row in
                "\(set) " + row.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
            }
            try store.versions(of: set) { lines.append("\(set) \($0) \(String(describing: $1)) \($2)") }
        }
        lines += try store.waitingChanges().map { "\($0)" }
        lines += try store.pendingTransactions().map { "\($0.number) \($0.changes.map(\.baseETag))" }
        lines += try store.conflicts().map { "\($0)" }
        lines += try store.quarantined().map { "\($0)" }
        lines += try store.subscriptions().map { "\($0)" }
        lines += try store.reading { connection in
            let effects = try ServerEffects(connection)
            return try effects.dirty.map { "\($0) \(String(describing: try effects.base($0)))" }.sorted()
        }
        return lines
    }

    @Test(.covers("DA-94"), arguments: [Briefcase.Form.file, .folder])
    func `a briefcase brings everything back, in another store`(form: Briefcase.Form) throws {
        let path = folder.file("case")
        let properties = ["page": "12", "näme": "a \"b\""]
        try store.exportBriefcase(to: path, form: form, version: "3", properties: properties)
        #expect(try Briefcase.look(at: path) == Briefcase(form: form, version: "3", properties: properties))
        let other = try LocalStore.open(path: folder.file("b.tideline"), model: Fixture.model)
        #expect(try other.importBriefcase(from: path, version: "3") == .imported(properties: properties))
        #expect(try content(other) == content(store))
        #expect(try other.check().problems == [])
        // It is another client, which knows whose transactions it sends.
        #expect(try other.identity().clientID != store.identity().clientID)
        #expect(try other.identity().previousClientID == store.identity().clientID)
        // Keys and numbers go on after those that came.
        let key = try other.write { try $0.insert([:], into: "Orders") }
        let last = try #require(try store.pendingTransactions().last?.number)
        #expect(key == Key([.integer(-2)]) || key == Key([.integer(-3)]))
        #expect(try other.pendingTransactions().last?.number == last + 1)
    }

    @Test(.covers("DA-95"), arguments: [Briefcase.Form.file, .folder])
    func `a missing briefcase, and one of another version, are ignored and said to be`(form: Briefcase.Form) throws {
        let path = folder.file("case")
        let other = try LocalStore.open(path: folder.file("b.tideline"), model: Fixture.model)
        #expect(try other.importBriefcase(from: path, version: "1") == .ignored(.missing))
        try store.exportBriefcase(to: path, form: form, version: "1")
        let before = try content(other)
        #expect(try other.importBriefcase(from: path, version: "2") == .ignored(.otherVersion("1")))
        #expect(try content(other) == before)
        // A plain store, and a folder with something else, are no briefcases.
        #expect(try other.importBriefcase(from: folder.path, version: "1") == .ignored(.missing))
        try other.backup(to: folder.file("plain"))
        #expect(try other.importBriefcase(from: folder.file("plain"), version: "1") == .ignored(.missing))
    }

    @Test(.covers("DA-95"))
    func `a briefcase of a later format is ignored`() throws {
        let path = folder.file("case")
        try store.exportBriefcase(to: path, form: .folder, version: "1")
        let manifest = URL(fileURLWithPath: path + "/briefcase.json")
        let text = try String(contentsOf: manifest, encoding: .utf8)
        try Data(text.replacing("\"format\":1", with: "\"format\":7").utf8).write(to: manifest)
        #expect(try store.importBriefcase(from: path, version: "1") == .ignored(.otherFormat(7)))
        let file = folder.file("file")
        try store.exportBriefcase(to: file, form: .file, version: "1")
        let copy = try LocalStore(path: file)
        try copy.writing { connection in
            try connection.run("UPDATE tideline_briefcase SET value = '8' WHERE name = 'format'")
            return ((), [])
        }
        try copy.close()
        #expect(try store.importBriefcase(from: file, version: "1") == .ignored(.otherFormat(8)))
    }

    @Test(.covers("DA-96"), arguments: ["file", "folder"])
    func `a process that is killed while it writes leaves the earlier briefcase`(form: String) async throws {
        let path = folder.file("case")
        try store.exportBriefcase(to: path, form: Briefcase.Form(rawValue: form) ?? .file, version: "1")
        let before = try content(store)
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [path = path as String, file = folder.file("a.tideline") as String, form = form as String] in
            unsafe setenv("TIDELINE_FAIL_POINT", "briefcase.before-rename", 1)
            let store = try LocalStore(path: file)
            try await store.write { try $0.insert(["Code": .string("later")], into: "Tags") }
            try store.exportBriefcase(to: path, form: Briefcase.Form(rawValue: form) ?? .file, version: "2")
        }
        let other = try LocalStore.open(path: folder.file("b.tideline"), model: Fixture.model)
        #expect(try other.importBriefcase(from: path, version: "1") == .imported(properties: [:]))
        #expect(try content(other) == before)
        // The next export clears away what was left.
        try other.exportBriefcase(to: path, form: Briefcase.Form(rawValue: form) ?? .file, version: "3")
        #expect(try Briefcase.look(at: path)?.version == "3")
        if form == "folder" {
            #expect(try FileManager.default.contentsOfDirectory(atPath: path).count == 1 + 5 + 5)
        }
    }

    @Test func `changes of the store that takes it are not lost silently`() throws {
        let path = folder.file("case")
        let other = try LocalStore.open(path: folder.file("b.tideline"), model: Fixture.model)
        try other.exportBriefcase(to: path, form: .folder, version: "1")
        let error = #expect(throws: LocalStoreError.self) { try store.importBriefcase(from: path, version: "1") }
        #expect(error?.code == .pendingChanges)
        #expect(try error?.changes == store.waitingChanges())
        #expect(
            try store.importBriefcase(from: path, version: "1", discardingChanges: true) == .imported(properties: [:])
        )
        #expect(try store.waitingChanges() == [])
        #expect(try Fixture.rows(store, "Tags").isEmpty)
    }

    @Test func `a damaged briefcase changes nothing and says so`() throws {
        let path = folder.file("case")
        try store.exportBriefcase(to: path, form: .folder, version: "1")
        let names = try FileManager.default.contentsOfDirectory(atPath: path)
        let tags = try #require(names.first { $0.hasPrefix("set.Tags") })
        try Data("{\"Code\":5}\n".utf8).write(to: URL(fileURLWithPath: path + "/" + tags))
        let other = try LocalStore.open(path: folder.file("b.tideline"), model: Fixture.model)
        #expect(code { try other.importBriefcase(from: path, version: "1") } == .damagedBriefcase)
        try FileManager.default.removeItem(atPath: path + "/" + tags)
        #expect(code { try other.importBriefcase(from: path, version: "1") } == .io)
        #expect(try Fixture.rows(other, "Tags").isEmpty)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.contains(".new") } == []
        )
    }

    @Test func `other files and folders are not overwritten`() throws {
        let path = folder.file("mine")
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        try Data("x".utf8).write(to: URL(fileURLWithPath: path + "/letter.txt"))
        #expect(code { try store.exportBriefcase(to: path, form: .folder, version: "1") } == .foreignFile)
        #expect(code { try store.exportBriefcase(to: path, form: .file, version: "1") } == .foreignFile)
        #expect(code { try store.exportBriefcase(to: path + "/letter.txt", form: .file, version: "1") } == .foreignFile)
        #expect(try FileManager.default.contentsOfDirectory(atPath: path) == ["letter.txt"])
    }

    @Test(.covers("MD-I21"))
    func `members that a folder's format does not name are passed over at the top, and refused in rows`() throws {
        let path = folder.file("case")
        try store.exportBriefcase(to: path, form: .folder, version: "1")
        let manifest = URL(fileURLWithPath: path + "/briefcase.json")
        let text = try String(contentsOf: manifest, encoding: .utf8)
        try Data(text.replacing("{\"format\":1", with: "{\"comment\":[1,{}],\"format\":1").utf8).write(to: manifest)
        let other = try LocalStore.open(path: folder.file("b.tideline"), model: Fixture.model)
        #expect(try other.importBriefcase(from: path, version: "1") == .imported(properties: [:]))
        #expect(try content(other) == content(store))
    }
}
