// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import TidelineModel
import TidelineStore

/// `tideline update`.
struct UpdateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "update",
        abstract: "Change properties of an entity of a store; the next sync sends it.",
        discussion: """
            tideline update trade.tideline Orders 42 '{"OrderStatus":2}'
            tideline update trade.tideline OrderLines OrderID=1,Line=2 '{"Quantity":3}'
            tideline update trade.tideline Orders '(-1)' '{"OrderStatus":2}'
            tideline update trade.tideline Posts 1 '{"Address":{"City":"Bern"}}'

            What is not named stays, the other members of an object too.
            """
    )

    @Argument(help: "The store file.") var file: String
    @Argument(help: "The entity set.") var set: String
    @Argument(help: "The key, an OData key predicate.") var key: String
    @Argument(help: "The properties and their new values, in JSON; - reads standard input.") var changes: String
    @Flag(help: "Write JSON.") var json = false

    func run() async throws {
        try await DeviceFailure.during("The entity was not changed.") {
            let store = try DeviceStore(file).store
            let set = try SetName.find(set, in: store.model)
            let key = try KeyText.parse(key, of: set)
            let text = EntityText.argument(changes)
            let isChanged = try store.write { (transaction: LocalTransaction) throws -> Bool? in
                let before = try transaction.entity(key, in: set.names.wire)
                let values = try EntityText.parse(text, of: set, model: store.model, over: before ?? [:])
                guard before != nil, try transaction.update(key, values, in: set.names.wire) else { return nil }
                return try transaction.entity(key, in: set.names.wire) != before
            }
            let shown = KeyText.text(key, of: set)
            if isChanged == nil { try HeldSets(store).require([set.names.wire]) }
            guard let isChanged else { throw CommandFailure("There is no \(set.names.wire)(\(shown)).") }
            Output(json: json).result(
                [("set", .text(set.names.wire)), ("key", .text(shown))],
                text: isChanged
                    ? "\(set.names.wire)(\(shown)) is changed."
                    : "\(set.names.wire)(\(shown)) is as it was: nothing was to be changed."
            )
        }
    }
}
