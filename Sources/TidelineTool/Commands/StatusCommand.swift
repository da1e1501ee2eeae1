// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import TidelineClient
import TidelineStore

/// `tideline status`.
struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Say where a store comes from, what it holds and what waits. Needs no connection.",
        discussion: "tideline status trade.tideline"
    )

    @Argument(help: "The store file.") var file: String
    @Flag(help: "Write JSON.") var json = false

    func run() async throws {
        try await DeviceFailure.during("The status of \(file) cannot be told.") {
            let device = try DeviceStore(file)
            let identity = try device.store.identity()
            let status = try device.store.status()
            let subscriptions = try device.store.subscriptions()
            let service = identity.origin?.serviceURL
            let user = identity.origin?.userName
            let sets = subscriptions.map { subscription in
                subscription.set + (subscription.filter.map { "?$filter=" + $0 } ?? "")
            }
            let output = Output(json: json)
            let waiting = "\(status.pendingTransactions) transactions wait, \(status.sentTransactions) of them sent"
            output.result(
                [
                    ("service", service.map { .text($0) } ?? .null), ("user", user.map { .text($0) } ?? .null),
                    ("sets", .raw("[" + sets.map(JSONText.string).joined(separator: ",") + "]")),
                    ("pending", .integer(status.pendingTransactions)), ("sent", .integer(status.sentTransactions)),
                    ("conflicts", .integer(status.conflicts)), ("quarantined", .integer(status.quarantined)),
                ],
                text: """
                    service      \(service ?? "none")
                    user         \(user ?? "nobody, the domain is open")
                    sets         \(sets.joined(separator: ", "))
                    pending      \(output.styled(status.pendingTransactions == 0 ? .inStep : .pending, waiting))
                    conflicts    \(output.styled(status.conflicts == 0 ? .inStep : .conflict, "\(status.conflicts)"))
                    quarantined  \(output.styled(status.quarantined == 0 ? .inStep : .refused, "\(status.quarantined)"))
                    """
            )
        }
    }
}
