// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import TidelineModel
import TidelineSimulator
import TidelineStore
import TidelineTestSupport

/// Stores that are closed while their disk is full, or fails.
@Suite(.ownThread)
struct StoreClosingTests {
    private static let model = EntityModel(
        namespace: "App",
        sets: [
            EntitySet(
                names: Names(wire: "Notes"),
                type: EntityType(
                    names: Names(wire: "Note"),
                    properties: [Property(names: Names(wire: "Text"), type: .string, isNullable: false)],
                    key: [0]
                )
            )
        ]
    )

    /// A store whose rows are still in its log.
    private static func filled(_ disk: SimulatedDisk) throws -> LocalStore {
        let store = try LocalStore.create(path: disk.folder + "/app.tideline", model: model)
        for number in 0..<20 {
            try store.write { transaction in
                let text = String(repeating: "\(number) ", count: 400)
                _ = try transaction.insert(["Text": .string(text)], into: "Notes")
            }
        }
        return store
    }

    private static func count(_ path: String) throws -> Int {
        let store = try LocalStore(path: path)
        let count = try store.waitingChanges().count
        #expect(try store.check().isSound)
        try store.close()
        return count
    }

    @Test(arguments: [(DiskFault.full, LocalStoreError.Code.full), (.failure, .io)])
    func `a file that cannot be made whole is not passed on as if it were`(
        fault: DiskFault,
        code: LocalStoreError.Code
    ) throws {
        let disk = try SimulatedDisk()
        let store = try Self.filled(disk)
        disk.beginCounting()
        // The log is synced first; then the pages go into the file.
        disk.plan(fault, at: 2)
        #expect { try store.closeWhole() } throws: { ($0 as? LocalStoreError)?.code == code }
        disk.relieve()
        disk.beginCounting()
        #expect(try Self.count(disk.folder + "/app.tideline") == 20)
    }

    @Test func `a store that is only closed leaves the rest in its log`() throws {
        let disk = try SimulatedDisk()
        let store = try Self.filled(disk)
        disk.beginCounting()
        disk.plan(.full, at: 2)
        try store.close()
        #expect(FileManager.default.fileExists(atPath: disk.folder + "/app.tideline-wal"))
        disk.relieve()
        disk.beginCounting()
        #expect(try Self.count(disk.folder + "/app.tideline") == 20)
    }

    @Test func `a whole file needs no log`() throws {
        let disk = try SimulatedDisk()
        try Self.filled(disk).closeWhole()
        #expect(!FileManager.default.fileExists(atPath: disk.folder + "/app.tideline-wal"))
        #expect(try Self.count(disk.folder + "/app.tideline") == 20)
    }
}
