// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import TidelineStorage

@testable import TidelineSQLite

struct BackupDraftTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func drafts() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: scratch.folder.path).filter { $0.contains(".tmp-") }
            .sorted()
    }

    @Test func `a draft is there until its maker removes it, whoever looks for abandoned ones`() throws {
        let draft = try BackupDraft(beside: scratch.path)
        let name = URL(fileURLWithPath: draft.path).lastPathComponent
        #expect(name.hasPrefix("data.sqlite.tmp-"))
        BackupDraft.removeAbandoned(beside: scratch.path)
        #expect(try drafts() == [name, name + ".lock"])
        let mode = try FileManager.default.attributesOfItem(atPath: draft.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let second = try BackupDraft(beside: scratch.path)
        #expect(second.path != draft.path)
        for suffix in ["-wal", "-shm", "-journal"] {
            try Data("x".utf8).write(to: URL(fileURLWithPath: draft.path + suffix))
        }
        draft.remove()
        let other = URL(fileURLWithPath: second.path).lastPathComponent
        #expect(try drafts() == [other, other + ".lock"])
        second.remove()
        #expect(try drafts() == [])
    }

    @Test func `a draft that became the copy leaves nothing beside it`() throws {
        let draft = try BackupDraft(beside: scratch.path)
        let copy = scratch.folder.appendingPathComponent("copy").path
        try FileManager.default.moveItem(atPath: draft.path, toPath: copy)
        draft.remove()
        #expect(try drafts() == [])
        #expect(FileManager.default.fileExists(atPath: copy))
    }

    @Test func `where no file can be made that is said`() throws {
        let target = scratch.folder.appendingPathComponent("none/data.sqlite").path
        #expect(throws: StorageError(.io, message: "No file can be made beside '\(target)'.")) {
            try BackupDraft(beside: target)
        }
    }
}
