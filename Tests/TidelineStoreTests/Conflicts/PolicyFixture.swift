// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import Testing

@testable import TidelineStore

/// A store with one set whose properties have policies.
struct PolicyFixture {
    static let key = Key([.string("a")])
    static let base: [Value] = [.string("a"), .integer(10), .string("the red house"), .string("[1,2]"), .string("n")]

    let folder: TestFolder
    let store: LocalStore

    /// - Parameters:
    ///   - type: the policy of the entity type.
    ///   - note: the policy of the last property.
    init(
        type: ConflictPolicy? = nil,
        note: ConflictPolicy? = nil,
        functions: [String: ConflictFunction] = [:],
        logLength: Int = 10_000
    ) throws {
        var item = EntityType(
            names: Names(wire: "Item"),
            properties: [
                Fixture.property("Code", .string, nullable: false), Fixture.property("Stock", .int64),
                Fixture.property("Text", .string), Fixture.property("Tags", .string),
                Fixture.property("Note", .string),
            ],
            key: [0]
        )
        item.properties[3].structure = .collection(of: .primitive(.int64))
        item.properties[1].conflictPolicy = .counter
        item.properties[2].conflictPolicy = ConflictPolicy(.words, else: .clientWins)
        item.properties[3].conflictPolicy = .union
        item.properties[4].conflictPolicy = note
        item.conflictPolicy = type
        folder = try TestFolder()
        let path = folder.file("a.tideline")
        let model = EntityModel(
            namespace: "Test",
            sets: [EntitySet(names: Names(wire: "Items"), type: item)]
        )
        let settings = StoreSettings(conflictLogLength: logLength, conflictFunctions: functions)
        // Closed and opened again, so that the policies are those of the file.
        try LocalStore.create(path: path, model: model).close()
        store = try LocalStore(path: path, settings: settings)
        try Fixture.load(store, "Items", [(Self.base, 1)])
    }

    func update(_ values: [String: Value]) throws {
        _ = try store.write { try $0.update(Self.key, values, in: "Items") }
    }

    func row() throws -> [String: Value]? { try store.read { try $0.entity(Self.key, in: "Items") } }

    /// The server's row, as the base but for what is given.
    static func theirs(
        stock: Int64 = 10,
        text: String = "the red house",
        tags: String = "[1,2]",
        note: String = "n"
    ) -> [Value] {
        [.string("a"), .integer(stock), .string(text), .string(tags), .string(note)]
    }

    /// What would be sent: for each transaction its assignments, by name.
    func sent() throws -> [[String: Value]] {
        try store.pendingTransactions().map { transaction in
            var values: [String: Value] = [:]
            for change in transaction.changes where change.change.operation == .update {
                for one in change.change.assignments {
                    values[["Code", "Stock", "Text", "Tags", "Note"][one.property]] = one.after
                }
            }
            return values
        }
    }
}
