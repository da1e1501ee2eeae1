// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import TidelineStorage
import TidelineStore

/// `tideline query`.
struct QueryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "query",
        abstract: "Read entities of a store, with no connection.",
        discussion: """
            tideline query trade.tideline \\
              'OrderDetails?$filter=Total gt 100&$orderby=Total desc&$top=5'
            tideline query trade.tideline 'Orders(42)?$expand=ClientRef'
            tideline query trade.tideline 'Orders/$count'
            """
    )

    @Argument(help: "The store file.") var file: String
    @Argument(help: "An OData resource path with its options.") var path: String
    @Flag(help: "Write JSON, one object a line.") var json = false

    func run() async throws {
        try await DeviceFailure.during("\(path) cannot be answered.") {
            let store = try DeviceStore(file).store
            let held = try HeldSets(store)
            let query = try LocalQuery(path, model: store.model, holds: held.contains)
            // What was inserted here and waits is to be seen, wherever it goes.
            let isWaiting = try query.kind == .entity && query.plan.expansions.isEmpty && store.count(query.plan) > 0
            if !isWaiting { try held.require(store.sets(readBy: query.plan)) }
            let output = Output(json: json)
            if query.kind == .count {
                let count = try store.count(query.plan)
                return output.result([("count", .integer(count))], text: "\(count)")
            }
            let printer = RowPrinter(shape: query.shape)
            try store.fetch(query.plan, into: printer)
            if query.kind == .entity, printer.rows.isEmpty { throw CommandFailure("There is no such entity.") }
            output.rows(printer.columns, printer.rows, empty: "No rows.")
        }
    }
}
