// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TidelineModel
import TidelineSQLite
import TidelineStore

/// Scenarios of whole files, of the device and of the service.
extension Scenario {
    static var wholeFiles: [Scenario] {
        [
            Scenario(
                "migration",
                [
                    .write("note") { _ = try $0.update(key(1), [note($0): .string("mine")], in: "Parents") },
                    .write("insert") {
                        _ = try $0.insert(["Name": .string("new"), note($0): .string("mine")], into: "Parents")
                    },
                    .act("second release") { try migrate($0, to: 2) },
                    .act("third release") { try migrate($0, to: 3) },
                    .write("after") { _ = try $0.update(key(2), ["Note": .string("after")], in: "Parents") },
                    .sync,
                ]
            ),
            Scenario(
                "reset to a seed",
                [
                    .act("seed") { world in
                        if !exists("seed", world) { try world.device().exportSeed(to: place("seed", world)) }
                    },
                    .write("given up") { _ = try $0.insert(["Name": .string("given up")], into: "Parents") },
                    .forget("reset") { try $0.device().reset(toSeed: place("seed", $0), discardingChanges: true) },
                    .write("after") { _ = try $0.insert(["Name": .string("after")], into: "Parents") },
                    .sync,
                ]
            ),
            briefcase(.file), briefcase(.folder),
            Scenario(
                "backup",
                [
                    .write("before") { _ = try $0.insert(["Name": .string("before")], into: "Parents") },
                    .act("backup") { try await $0.device().backup(to: place("backup", $0)) },
                    .write("between") { _ = try $0.insert(["Name": .string("between")], into: "Parents") },
                    .act("second backup") { try await $0.device().backup(to: place("backup", $0)) },
                    .act("look") { world in
                        var settings = world.settings
                        settings.identityFolder = nil
                        let copy = try LocalStore(path: place("backup", world), settings: settings)
                        let check = try await copy.check()
                        let waiting = try copy.waitingChanges().count
                        try copy.close()
                        guard check.isSound, waiting == 4 else {
                            throw ScenarioFailure("The backup has \(waiting) changes; \(check.problems)")
                        }
                    },
                    .sync,
                ]
            ),
            Scenario(
                "sign-out",
                [
                    .write("sent") { _ = try $0.insert(["Name": .string("sent")], into: "Parents") },
                    .sync,
                    .forget("wipe") { world in
                        try world.openDevice()
                        if let store = world.store { try store.wipe(discardingChanges: true) }
                        world.dropDevice()
                    },
                    clone,
                    .write("anew") { _ = try $0.insert(["Name": .string("anew")], into: "Parents") },
                    .sync,
                ]
            ),
            Scenario(
                "attach",
                from: .local,
                [
                    .write("family") {
                        let parent = try $0.insert(["Name": .string("family")], into: "Parents")
                        _ = try $0.insert(["ParentId": parent.values[0], "Label": .string("kid")], into: "Children")
                    },
                    .act("attach") { try await $0.attach() },
                    after,
                    .sync,
                ]
            ),
        ]
    }

    static var serving: [Scenario] {
        [
            Scenario(
                "compaction of the log",
                [
                    .edit("first", "UPDATE Parents SET Amount = 1"),
                    .sync,
                    .edit("second", "UPDATE Parents SET Amount = 2"),
                    .act("compact") { try $0.compactLog() },
                    .write("mine") { _ = try $0.update(key(3), ["Note": .string("mine")], in: "Parents") },
                    .sync,
                ]
            ),
            Scenario(
                "restart of the service",
                [
                    .write("first") { _ = try $0.insert(["Name": .string("first")], into: "Parents") },
                    .sync,
                    .act("restart") { world in
                        try world.stopService()
                        try world.startService()
                    },
                    .write("second") { _ = try $0.insert(["Name": .string("second")], into: "Parents") },
                    .sync,
                ]
            ),
            Scenario(
                "restored service",
                [
                    .write("kept") { _ = try $0.insert(["Name": .string("kept")], into: "Parents") },
                    .sync,
                    // By the means of the product: a file that is copied over the database begins no epoch.
                    .act("backup") { world in
                        let file = world.serviceDisk.folder + "/backup.sqlite"
                        guard !FileManager.default.fileExists(atPath: file) else { return }
                        try SQLiteBackup.write(world.servicePath, to: file)
                    },
                    .write("rolled back") {
                        _ = try $0.update(key(1), ["Note": .string("rolled back")], in: "Parents")
                    },
                    .sync,
                    .forget("restore") { world in
                        let file = world.serviceDisk.folder + "/backup.sqlite"
                        try SQLiteBackup.restore(file, into: world.servicePath, model: world.published)
                        try world.stopService()
                        try world.startService()
                    },
                    .edit("other history", "UPDATE Parents SET Amount = 77 WHERE Id = 2"),
                    .sync,
                    .write("after") { _ = try $0.insert(["Name": .string("after")], into: "Parents") },
                    .sync,
                ]
            ),
        ]
    }

    private static func briefcase(_ form: Briefcase.Form) -> Scenario {
        Scenario(
            form == .file ? "briefcase in a file" : "briefcase in a folder",
            [
                .write("taken along") { _ = try $0.insert(["Name": .string("taken along")], into: "Parents") },
                .act("export") { world in
                    try world.device().exportBriefcase(to: place("case", world), form: form, version: "1")
                },
                .write("given up") { _ = try $0.insert(["Name": .string("given up")], into: "Parents") },
                .forget("import") { world in
                    let result = try world.device().importBriefcase(
                        from: place("case", world),
                        version: "1",
                        discardingChanges: true
                    )
                    guard case .imported = result else { throw ScenarioFailure("The import: \(result)") }
                },
                .sync,
            ]
        )
    }

    // MARK: Files

    private static func place(_ name: String, _ world: ScenarioWorld) -> String {
        "\(world.deviceDisk.folder)/\(name)"
    }

    private static func exists(_ name: String, _ world: ScenarioWorld) -> Bool {
        FileManager.default.fileExists(atPath: place(name, world))
    }

    /// A change of a row that attaching loaded.
    private static var after: Step {
        var step = Step.write("after") { _ = try $0.update(key(1), ["Note": .string("after")], in: "Parents") }
        let write = step.run
        step.run = { world in
            // What was loaded is on the disk with the next push: who lost it to a power failure loads it again.
            if try world.device().row(key(1), in: "Parents") == nil { try await world.sync() }
            try await write(world)
        }
        return step
    }

    // MARK: Releases

    /// The name of a property in the release that the store is open with: who lost a write to a power failure after the
    /// second release had opened the file does it again with that.
    private static func note(_ transaction: LocalTransaction) -> String {
        transaction.model[set: "Parents"]?.type.propertyIndex(wire: "Remark") == nil ? "Note" : "Remark"
    }

    /// Opens the store with the second release of the app, where `Note` has another name, or the third, where it has
    /// its own again.
    private static func migrate(_ world: ScenarioWorld, to version: Int) throws {
        if world.store == nil { try world.openDevice() }
        let model = try world.device().model
        let steps = [
            StoreMigration(to: 2, [.renameProperty("Note", of: "Parents", to: "Remark")]),
            StoreMigration(to: 3, [.renameProperty("Remark", of: "Parents", to: "Note")]),
        ]
        let name = version == 2 ? "Remark" : "Note"
        let sets = model.sets.map { set -> EntitySet in
            guard set.names.wire == "Parents" else { return set }
            var set = set
            for place in set.type.properties.indices
            where ["Note", "Remark"].contains(set.type.properties[place].names.wire) {
                set.type.properties[place].names = Names(wire: name)
            }
            return set
        }
        world.release = (model.replacing(sets: sets), Array(steps.prefix(version - 1)))
        try world.closeDevice()
        try world.openDevice()
    }
}

/// A step found something other than it must.
struct ScenarioFailure: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
