// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization
import Testing
import TidelineModel
import TidelineTestSupport

@testable import TidelineStore

struct ConnectionTests {
    let folder: TestFolder
    var path: String { folder.file("a.tideline") }

    init() throws { folder = try TestFolder() }

    @Test func `every connection is prepared before its first statement`() throws {
        let calls = Mutex(0)
        let settings = StoreSettings(prepareConnection: { connection in
            calls.withLock { $0 += 1 }
            // Made before anything of the store's is: it can be neither read nor written without it.
            try connection.execute("PRAGMA temp_store = MEMORY")
        })
        let store = try LocalStore.open(path: path, model: Fixture.model, settings: settings)
        // The connection that made the file, the writer and one reader.
        #expect(calls.withLock { $0 } == 3)
        try store.write { try $0.insert(["Code": .string("a")], into: "Tags") }
        #expect(calls.withLock { $0 } == 3)
        // A new reader comes after those that were idle are gone.
        try store.releaseMemory()
        #expect(try store.reading { try $0.integer("PRAGMA temp_store") } == 2)
        #expect(calls.withLock { $0 } == 4)
        try store.backup(to: folder.file("backup"))
        #expect(calls.withLock { $0 } > 4)
    }

    @Test func `what a preparation throws ends the opening and leaves nothing`() throws {
        struct WrongKey: Error {}
        let settings = StoreSettings(prepareConnection: { _ in throw WrongKey() })
        let path = path
        #expect(throws: WrongKey.self) { try LocalStore.open(path: path, model: Fixture.model, settings: settings) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
        try LocalStore.open(path: path, model: Fixture.model).close()
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        #expect(throws: WrongKey.self) { try LocalStore.open(path: path, model: Fixture.model, settings: settings) }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
        // A foreign database is told with a preparation too.
        let plain = StoreSettings(prepareConnection: { _ in })
        try Data(repeating: 65, count: 5000).write(to: URL(fileURLWithPath: folder.file("text")))
        #expect(code { try LocalStore(path: folder.file("text"), settings: plain) } == .foreignFile)
    }

    @Test(.covers("MD-I40", "SB-F085"))
    func `a path that cannot be written gives a described error and leaves nothing`() throws {
        let missing = folder.file("none/a.tideline")
        let error = #expect(throws: LocalStoreError.self) { try LocalStore.open(path: missing, model: Fixture.model) }
        #expect(error?.code == .io)
        #expect(error?.description.isEmpty == false)
        #expect(!FileManager.default.fileExists(atPath: folder.file("none")))
        let text = folder.file("text")
        try Data("no database at all".utf8).write(to: URL(fileURLWithPath: text))
        #expect(code { try LocalStore.open(path: text, model: Fixture.model) } == .foreignFile)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["text"])
    }

    @Test(.covers("MD-I32", "SB-F085"))
    func `bad SQL, a locked file and a full disk are errors of their own`() throws {
        let store = try LocalStore.open(
            path: path,
            model: Fixture.model,
            settings: StoreSettings(busyTimeout: .milliseconds(20))
        )
        #expect(code { try store.raw { try $0.execute("UPDATE Nothing SET x = 1") } } == .invalidSQL)
        let other = try LocalStore(path: path, settings: StoreSettings(busyTimeout: .milliseconds(20)))
        try store.write { transaction in
            // The other one stands for another process: it has connections of its own.
            #expect(code { try other.write { try $0.insert(["Code": .string("x")], into: "Tags") } } == .busy)
            try transaction.insert(["Code": .string("a")], into: "Tags")
        }
        try other.write { try $0.insert(["Code": .string("x")], into: "Tags") }
        try store.writing { connection in
            try connection.run("PRAGMA max_page_count = \(try connection.integer("PRAGMA page_count") + 1)")
            return ((), [])
        }
        let big = Value.string(String(repeating: "x", count: 100_000))
        #expect(
            code { try store.write { try $0.insert(["Code": .string("b"), "Title": big], into: "Tags") } } == .full
        )
        #expect(try Fixture.rows(store, "Tags").count == 2)
    }

    @Test(.covers("SB-F082"))
    func `a transaction that fails leaves no lock and nothing of itself`() throws {
        struct Stop: Error {}
        let store = try LocalStore.open(path: path, model: Fixture.model)
        #expect(throws: Stop.self) {
            try store.write { transaction in
                try transaction.insert(["Code": .string("a")], into: "Tags")
                throw Stop()
            }
        }
        let other = try LocalStore(path: path, settings: StoreSettings(busyTimeout: .milliseconds(20)))
        try other.write { try $0.insert(["Code": .string("b")], into: "Tags") }
        #expect(try Fixture.rows(store, "Tags").map { $0["Code"] } == [.string("b")])
    }

    @Test func `writers of two processes queue`() async throws {
        let one = try LocalStore.open(path: path, model: Fixture.model)
        let two = try LocalStore(path: path)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, store) in [one, two, one, two].enumerated() {
                group.addTask {
                    for number in 0..<25 {
                        try await store.write { try $0.insert(["Code": .string("\(index)-\(number)")], into: "Tags") }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try Fixture.rows(one, "Tags").count == 100)
        #expect(try two.pendingTransactions().map(\.number) == Array(1...100))
    }

    @Test func `memory is released and the store goes on`() throws {
        let store = try LocalStore.open(path: path, model: Fixture.model)
        try store.write { try $0.insert(["Code": .string("a")], into: "Tags") }
        try store.releaseMemory()
        try store.write { try $0.insert(["Code": .string("b")], into: "Tags") }
        #expect(try Fixture.rows(store, "Tags").count == 2)
    }

    @Test func `a suspended store takes no writes, holds no lock, and reads on`() throws {
        let store = try LocalStore.open(path: path, model: Fixture.model)
        try store.write { try $0.insert(["Code": .string("a")], into: "Tags") }
        try store.suspend()
        #expect(code { try store.write { try $0.insert(["Code": .string("b")], into: "Tags") } } == .suspended)
        #expect(try Fixture.rows(store, "Tags").count == 1)
        let other = try LocalStore(path: path, settings: StoreSettings(busyTimeout: .milliseconds(20)))
        try other.write { try $0.insert(["Code": .string("c")], into: "Tags") }
        store.resume()
        try store.write { try $0.insert(["Code": .string("b")], into: "Tags") }
        #expect(try Fixture.rows(store, "Tags").count == 3)
    }

    @Test func `a write that runs while the store is suspended is undone`() async throws {
        let store = try LocalStore.open(path: path, model: Fixture.model)
        let (started, start) = AsyncStream.makeStream(of: Void.self)
        let write = Task {
            try await store.write { transaction in
                try transaction.insert(["Code": .string("b")], into: "Tags")
                start.finish()
                // Until it is interrupted, or sees that its commit would come too late.
                while !store.isSuspended.withLock({ $0 }) {}
            }
        }
        for await _ in started {}
        try store.suspend()
        await #expect(throws: LocalStoreError.self) { try await write.value }
        #expect(try Fixture.rows(store, "Tags").isEmpty)
    }

    @Test(.covers("MD-I36"))
    func `a process ended by SIGTERM in the middle of a write leaves a sound file`() async throws {
        try LocalStore.open(path: path, model: Fixture.model).close()
        await #expect(processExitsWith: .signal(SIGTERM)) { [path = path as String] in
            let store = try LocalStore(path: path)
            try await store.write { try $0.insert(["Code": .string("kept")], into: "Tags") }
            try await store.write { transaction in
                for number in 0..<2000 { try transaction.insert(["Code": .string("lost\(number)")], into: "Tags") }
                // To the process: the threads of a store take no signals.
                kill(getpid(), SIGTERM)
                while true {}
            }
        }
        let store = try LocalStore(path: path)
        #expect(try await store.check().problems == [])
        #expect(try Fixture.rows(store, "Tags").map { $0["Code"] } == [.string("kept")])
    }

    @Test(.covers("MD-I36"))
    func `closing finishes all statements and leaves everything in the one file`() throws {
        let store = try LocalStore.open(path: path, model: Fixture.model)
        try store.write { try $0.insert(["Code": .string("a")], into: "Tags") }
        try store.close()
        try store.close()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a.tideline"])
        #expect(try Fixture.rows(LocalStore(path: path), "Tags").count == 1)
    }
}
