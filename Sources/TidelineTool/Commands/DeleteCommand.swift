// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import TidelineModel
import TidelineStore

/// `tideline delete`.
struct DeleteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete an entity of a store, and what the model deletes with it; the next sync sends it.",
        discussion: "tideline delete trade.tideline Orders 42"
    )

    @Argument(help: "The store file.") var file: String
    @Argument(help: "The entity set.") var set: String
    @Argument(help: "The key, an OData key predicate.") var key: String
    @Flag(help: "Write JSON.") var json = false

    func run() async throws {
        try await DeviceFailure.during("The entity was not deleted.") {
            let store = try DeviceStore(file).store
            let set = try SetName.find(set, in: store.model)
            let key = try KeyText.parse(key, of: set)
            let wasThere = try store.write { (transaction: LocalTransaction) throws -> Bool in
                try transaction.delete(key, in: set.names.wire)
            }
            let text = KeyText.text(key, of: set)
            if !wasThere { try HeldSets(store).require([set.names.wire]) }
            guard wasThere else { throw CommandFailure("There is no \(set.names.wire)(\(text)).") }
            Output(json: json).result(
                [("set", .text(set.names.wire)), ("key", .text(text))],
                text: "\(set.names.wire)(\(text)) is deleted."
            )
        }
    }
}
