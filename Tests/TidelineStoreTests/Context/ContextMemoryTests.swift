// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineTestSupport
import Testing

@testable import TidelineStore

/// Who holds whom: nothing keeps a context, an object or a stream alive that nobody uses.
struct ContextMemoryTests {
    let folder: TestFolder
    let store: LocalStore

    init() throws {
        folder = try TestFolder()
        store = try Conference.store(folder)
        try store.write { try $0.insert(["Name": .string("Swift")], into: "Tracks") }
    }

    @Test(.covers("MD-I96"))
    func `a context is freed with its objects, children and hooks`() throws {
        weak var context: EditingContext?
        weak var child: EditingContext?
        weak var listener: CommitListener?
        weak var row: ManagedRow?
        do {
            let made = EditingContext(store)
            let nested = EditingContext(parent: made)
            made.onRefresh = { [weak made] _ in _ = made?.hasChanges }
            let track = try #require(try made.object(Key([.integer(-1)]), in: "Tracks"))
            try track.set("Name", .string("x"))
            try made.delete(made.insert(["Name": .string("y")], into: "Tracks"))
            _ = try nested.object(Key([.integer(-1)]), in: "Tracks")
            (context, child, listener, row) = (made, nested, made.listener, track)
        }
        #expect(context == nil && child == nil && listener == nil && row == nil)
    }

    @Test(.covers("MD-I96"))
    func `an object outlives its context, and belongs to none then`() throws {
        var row: ManagedRow?
        do { row = try EditingContext(store).reference(Key([.integer(-1)]), in: "Tracks") }
        #expect(row?.context == nil)
        let error = #expect(throws: LocalStoreError.self) { try row?.set("Name", .string("x")) }
        #expect(error?.code == .noSuchEntry)
    }

    @Test(.covers("MD-I96"))
    func `a stream of commits that nobody reads any more is forgotten`() async throws {
        let before = store.broadcaster.count
        let context = EditingContext(store)
        do {
            let commits = context.commits
            #expect(store.broadcaster.count == before + 2)
            _ = commits
        }
        #expect(store.broadcaster.count == before + 1)
        let task = Task { [commits = context.commits] in for await _ in commits {} }
        task.cancel()
        await task.value  // a stream that is waited for ends with its task
        _ = context.hasChanges
    }
}
