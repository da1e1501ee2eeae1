// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import TidelineModel
import TidelineSQLite
import TidelineStorage

/// The files beside a database, and links to it.
struct DatabaseFilesTests {
    private let scratch: Scratch
    private let model: EntityModel
    private var file: String { scratch.path + ".backup" }

    init() throws {
        scratch = try Scratch("CREATE TABLE t(id INTEGER PRIMARY KEY, a TEXT); INSERT INTO t(a) VALUES ('one')")
        let store = try scratch.store()
        model = store.model
        try SQLiteBackup.write(scratch.path, to: scratch.path + ".backup")
        try store.close()
    }

    private func lay(_ text: String, at path: String) throws { try Data(text.utf8).write(to: URL(filePath: path)) }

    @Test(arguments: ["", "-wal", "-shm", "-journal"])
    func `a name is free where none of the four files is there`(suffix: String) throws {
        let name = scratch.path + ".kept"
        #expect(DatabaseFiles.free(name) == name)
        try lay("other", at: name + suffix)
        #expect(DatabaseFiles.free(name) == name + "-2")
        #expect(DatabaseFiles.present(at: name) == [name + suffix])
        try lay("other", at: name + "-2-wal")
        #expect(DatabaseFiles.free(name) == name + "-3")
    }

    @Test func `a copy is not written beside the log of another database`() throws {
        let copy = scratch.path + ".copy"
        try lay("other", at: copy + "-wal")
        #expect(throws: StorageError(.unsupported, message: "There is a file '\(copy)-wal' already.")) {
            try SQLiteBackup.write(scratch.path, to: copy)
        }
        #expect(!FileManager.default.fileExists(atPath: copy))
    }

    @Test(arguments: ["data.sqlite", "absolute"], ["text", "missing"])
    func `a link at the path stays, and leads to the restored database`(destination: String, loss: String) throws {
        let link = scratch.folder.appendingPathComponent("link.sqlite").path
        let target = destination == "absolute" ? scratch.path : destination
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
        #expect(DatabaseFiles.resolved(link) == scratch.path)
        for path in DatabaseFiles.present(at: scratch.path) { try FileManager.default.removeItem(atPath: path) }
        if loss == "text" { try lay("no database at all, but long enough", at: scratch.path) }
        let kept = scratch.path + ".kept"
        let found = try SQLiteBackup.restore(file, into: link, model: model, keeping: kept)
        #expect(found == (loss == "text" ? .unreadable : .missing))
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == target)
        #expect(try scratch.rows("SELECT a FROM t") == ["one"])
        #expect(FileManager.default.fileExists(atPath: kept) == (loss == "text"))
    }
}
