// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Synchronization
import Testing
import Tideline
import TidelineTestSupport

struct PreferencesTests {
    let folder: URL
    var path: String { folder.appending(path: "p.json").path }

    init() throws {
        folder = URL(filePath: ProcessFolder.path).appending(path: "preferences-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private func preferences() throws -> Preferences {
        try Preferences(PreferenceSchemaTests.schema(), in: PreferenceFile(path: path))
    }

    @Test(.covers("MD-I23", "MD-I26"))
    func `a key that was never set has the default, a change survives a restart, a reset returns to the default`()
        throws
    {
        let first = try preferences()
        #expect(first["zone"] == "Asia/Tokyo")
        #expect(!first.isSet("zone"))
        #expect(first.double("volume") == 0.5)
        #expect(first.integer("version") == 2)
        #expect(!FileManager.default.fileExists(atPath: path))
        try first.set("America/Detroit", for: "zone")
        try first.set(1, for: "volume")
        let second = try preferences()
        #expect(second.loadFailure == nil)
        #expect(second.string("zone") == "America/Detroit")
        #expect(second["volume"] == .double(1))
        #expect(second.isSet("zone"))
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        try second.reset("zone")
        #expect(second.string("zone") == "Asia/Tokyo")
        #expect(!second.isSet("zone"))
        #expect(try preferences().values == ["volume": .double(1)])
        try second.resetAll()
        #expect(try preferences().values == [:])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["p.json"])
    }

    @Test(.covers("MD-I23"))
    func `a damaged file gives the defaults, is told, and is put aside`() throws {
        let damaged = Data("{\"zone\": \"Ameri".utf8)
        try damaged.write(to: URL(filePath: path))
        let preferences = try preferences()
        #expect(preferences.loadFailure?.code == .damaged)
        #expect(preferences.string("zone") == "Asia/Tokyo")
        try preferences.set("America/Detroit", for: "zone")
        #expect(try self.preferences().string("zone") == "America/Detroit")
        #expect(try Data(contentsOf: URL(filePath: path + ".damaged")) == damaged)
    }

    @Test(.covers("MD-I25"))
    func `a toggle's own values reach the app, and only what fits is taken`() throws {
        let preferences = try preferences()
        #expect(preferences["style"] == "24")
        #expect(preferences.bool("style"))
        try preferences.set(text: "off", for: "style")
        #expect(preferences["style"] == "12")
        #expect(!preferences.bool("style"))
        try preferences.set(text: "Detroit", for: "zone")
        #expect(preferences["zone"] == "America/Detroit")
        func code(_ body: () throws -> Void) -> PreferenceError.Code? {
            do {
                try body()
                return nil
            } catch { return (error as? PreferenceError)?.code }
        }
        #expect(code { try preferences.set(true, for: "style") } == .invalidValue)
        #expect(code { try preferences.set("Europe/Paris", for: "zone") } == .invalidValue)
        #expect(code { try preferences.set(1.5, for: "volume") } == .invalidValue)
        #expect(code { try preferences.set(text: "loud", for: "volume") } == .invalidValue)
        #expect(code { try preferences.set(text: "3", for: "version") } == .invalidValue)
        #expect(code { try preferences.set(1, for: "colour") } == .unknownKey)
        #expect(code { try preferences.reset("colour") } == .unknownKey)
        #expect(preferences["colour"] == nil)
        // What the app itself sets is shown and cannot be edited.
        try preferences.set(3, for: "version")
        #expect(preferences.integer("version") == 3)
    }

    @Test(.covers("MD-I27"))
    func `a change is told once, and an equal value is not`() async throws {
        let preferences = try preferences()
        var changes = preferences.changes().makeAsyncIterator()
        try preferences.set("Asia/Tokyo", for: "zone")
        try preferences.set("America/Detroit", for: "zone")
        try preferences.set("America/Detroit", for: "zone")
        try preferences.set(0.5, for: "volume")
        try preferences.reset("zone")
        try preferences.set(0.25, for: "volume")
        #expect(
            await changes.next() == PreferenceChange(key: "zone", before: "Asia/Tokyo", after: "America/Detroit")
        )
        #expect(
            await changes.next() == PreferenceChange(key: "zone", before: "America/Detroit", after: "Asia/Tokyo")
        )
        #expect(await changes.next() == PreferenceChange(key: "volume", before: 0.5, after: 0.25))
    }

    /// A storage that keeps nothing, and takes as long to save as it is told.
    private struct SlowStorage: PreferenceStorage {
        let saving: @Sendable () -> Void

        func load() -> [String: PreferenceValue] { [:] }
        func save(_ changes: [String: PreferenceValue?], all: [String: PreferenceValue]) { saving() }
        func changes() -> AsyncStream<Void> { AsyncStream { $0.finish() } }
    }

    @Test func `a preference can be read while a change is saved, and has the old value`() throws {
        let preferences = Mutex<Preferences?>(nil)
        let seen = Mutex<String?>(nil)
        let storage = SlowStorage {
            // As in a transaction of a store that a save of another thread waits for.
            let read = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                let zone = preferences.withLock(\.self)?.string("zone")
                seen.withLock { $0 = zone }
                read.signal()
            }
            _ = read.wait(timeout: .now() + 20)
        }
        let made = try Preferences(PreferenceSchemaTests.schema(), in: storage)
        preferences.withLock { $0 = made }
        try made.set("America/Detroit", for: "zone")
        #expect(seen.withLock(\.self) == "Asia/Tokyo")
        #expect(made.string("zone") == "America/Detroit")
    }

    @Test func `two users have preferences of their own`() throws {
        let files = StoreFiles(folder: folder.path, name: "app")
        let ada = try Preferences(PreferenceSchemaTests.schema(), in: PreferenceFile(files: files, user: "ada"))
        try ada.set("Ada", for: "name")
        let bob = try Preferences(PreferenceSchemaTests.schema(), in: PreferenceFile(files: files, user: "bob"))
        #expect(!bob.isSet("name"))
        #expect(files.users() == [])
        let again = try Preferences(PreferenceSchemaTests.schema(), in: PreferenceFile(files: files, user: "ada"))
        #expect(again.string("name") == "Ada")
    }

    @Test func `preferences in a store are rows that wait to be sent, and others' changes are told`() async throws {
        let set = EntitySet(
            names: Names(wire: "Preferences"),
            type: EntityType(
                names: Names(wire: "Preference"),
                properties: [
                    Property(names: Names(wire: "Name"), type: .string, isNullable: false),
                    Property(names: Names(wire: "Value"), type: .string),
                ],
                key: [0]
            )
        )
        let store = try LocalStore.temporary(model: EntityModel(namespace: "Test", sets: [set]))
        let storage = try PreferenceSet(store: store, set: "Preferences")
        let preferences = try Preferences(PreferenceSchemaTests.schema(), in: storage)
        try preferences.set("America/Detroit", for: "zone")
        let waiting = try store.waitingChanges()
        #expect(waiting.map(\.key) == [Key([.string("zone")])])
        #expect(waiting[0].assignments.map(\.after) == [.string("zone"), .string("\"America\\/Detroit\"")])
        // Another device's change, as a sync brings it.
        var changes = preferences.changes().makeAsyncIterator()
        let follower = Task { try await preferences.follow() }
        try await store.write {
            try $0.insert(["Name": .string("style"), "Value": .string("\"12\"")], into: "Preferences")
        }
        #expect(await changes.next() == PreferenceChange(key: "style", before: "24", after: "12"))
        #expect(!preferences.bool("style"))
        follower.cancel()
        try? await follower.value
        try preferences.reset("zone")
        #expect(preferences.string("zone") == "Asia/Tokyo")
        #expect(throws: LocalStoreError.self) { try PreferenceSet(store: store, set: "Nothing") }
        #expect(throws: LocalStoreError.self) { try PreferenceSet(store: store, set: "Preferences", value: "Nothing") }
    }
}
