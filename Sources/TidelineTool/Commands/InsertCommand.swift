// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import TidelineModel
import TidelineStore

/// `tideline insert`.
struct InsertCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "insert",
        abstract: "Insert an entity into a store; the next sync sends it.",
        discussion: """
            tideline insert trade.tideline Products \\
              '{"ProductId":900,"Name":"Lamp","GroupId":1,"Price":12.50}'
            tideline insert trade.tideline OrderDetails \\
              '{"Order":42,"ProductRef@odata.bind":"Products(7)","Quantity":1,
                "Price":3.5,"Total":3.5}'

            tideline insert trade.tideline Posts \\
              '{"Id":1,"Tags":["new"],"Address":{"City":"Bern"}}'

            A key that the service makes is a negative number until it is sent. What is
            inserted into a set that the store does not hold is sent, and then leaves it.
            """
    )

    @Argument(help: "The store file.") var file: String
    @Argument(help: "The entity set.") var set: String
    @Argument(help: "The entity, in JSON; - reads standard input.") var entity: String
    @Flag(help: "Write JSON.") var json = false

    func run() async throws {
        try await DeviceFailure.during("The entity was not inserted.") {
            let store = try DeviceStore(file).store
            let set = try SetName.find(set, in: store.model)
            let values = try EntityText.parse(EntityText.argument(entity), of: set, model: store.model)
            let key = try store.write { (transaction: LocalTransaction) throws -> Key in
                try transaction.insert(values, into: set.names.wire)
            }
            let text = KeyText.text(key, of: set)
            let stays = try HeldSets(store).contains(set.names.wire)
            Output(json: json).result(
                [("set", .text(set.names.wire)), ("key", .text(text)), ("stays", .boolean(stays))],
                text: "\(set.names.wire)(\(text)) is inserted."
                    + (stays ? "" : "\nThe store does not hold \(set.names.wire): once it is sent it leaves the store.")
            )
        }
    }
}
