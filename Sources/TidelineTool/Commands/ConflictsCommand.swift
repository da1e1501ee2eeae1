// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import TidelineModel
import TidelineStore

/// `tideline conflicts`.
struct ConflictsCommand: AsyncParsableCommand {
    enum Action: String, ExpressibleByArgument, CaseIterable {
        case restore, dismiss, mine, theirs
    }

    static let configuration = CommandConfiguration(
        commandName: "conflicts",
        abstract: "Show the values that lost when both sides had changed them; take them back, or forget them.",
        discussion: """
            tideline conflicts trade.tideline
            tideline conflicts trade.tideline restore 3
            tideline conflicts trade.tideline mine 4

            What restore does depends on the kind of the entry: update, the values that
            lost are written again. deletedHere, the entity stayed though this device had
            deleted it, and is deleted again. deletedThere, the changes of this device
            went with the entity, and it is inserted again with them. Where this device
            won, what the server had done is taken back instead. The next sync sends it.

            An entry that is open waits until somebody decides: mine or theirs. Its
            change is held back until then, with those that build on it, and the
            server's value is shown.
            """
    )

    @Argument(help: "The store file.") var file: String
    @Argument(
        help: """
            restore: do again what lost, a change, a deletion or an insert. dismiss: take the entry off the list. \
            mine, theirs: what this device did counts, or what the server has.
            """
    )
    var action: Action?
    @Argument(help: "The number of the entry.") var id: Int64?
    @Flag(help: "Write JSON, one object a line.") var json = false

    func validate() throws {
        guard (action == nil) == (id == nil) else {
            throw ValidationError("Give restore, dismiss, mine or theirs with a number.")
        }
    }

    func run() async throws {
        try await DeviceFailure.during("The conflicts of \(file) cannot be handled.") {
            let store = try DeviceStore(file).store
            let output = Output(json: json)
            switch (action, id) {
            case (.restore?, let id?):
                let entry = try store.conflicts().first { $0.id == id }
                try store.restore(conflict: id)
                output.result([("restored", .integer(id))], text: entry.map { restored($0, store) } ?? "")
            case (.dismiss?, let id?):
                try store.dismiss(conflict: id)
                output.result([("dismissed", .integer(id))], text: "The entry is off the list.")
            case (.mine?, let id?):
                try store.resolve(conflict: id, .keepMine)
                output.result(
                    [("resolved", .integer(id))],
                    text: "What this device did counts; the next sync sends it."
                )
            case (.theirs?, let id?):
                try store.resolve(conflict: id, .keepTheirs)
                output.result([("resolved", .integer(id))], text: "What the server has counts.")
            default: try list(store, output)
            }
        }
    }

    /// What restoring an entry did, by what had lost.
    private func restored(_ entry: Conflict, _ store: LocalStore) -> String {
        if entry.isOpen { return "What this device did counts; the next sync sends it." }
        let key = store.model[set: entry.set].map { KeyText.text(entry.key, of: $0) } ?? ""
        let name = "\(entry.set)(\(key))"
        switch (entry.kind, entry.mineWon) {
        case (.deletedHere, false), (.deletedThere, true): return "\(name) is deleted again; the next sync sends it."
        // Under another key, where the database gives them.
        case (.deletedHere, true), (.deletedThere, false):
            return "What was \(name) is inserted again; the next sync sends it."
        default: return "The values of \(name) are restored; the next sync sends them."
        }
    }

    private func won(_ property: Conflict.Property) -> String {
        property.isOpen ? "open" : property.isJoined ? "joined" : property.mineWon ? "mine" : "theirs"
    }

    private func list(_ store: LocalStore, _ output: Output) throws {
        var rows: [[Output.Cell]] = []
        let conflicts = try store.conflicts()
        let newest = conflicts.map(\.id).max()
        for conflict in conflicts {
            let set = store.model[set: conflict.set]
            let key = set.map { KeyText.text(conflict.key, of: $0) } ?? ""
            for property in conflict.properties {
                let known = set?.type.properties.first { $0.names.wire == property.name }
                rows.append([
                    .integer(conflict.id), .text(conflict.set), .text(key), .text(conflict.kind.rawValue),
                    .text(property.name), ValueCell.cell(property.base, of: known),
                    ValueCell.cell(property.mine, of: known), ValueCell.cell(property.theirs, of: known),
                    .text(won(property)),
                ])
            }
            if conflict.properties.isEmpty {
                rows.append([
                    .integer(conflict.id), .text(conflict.set), .text(key), .text(conflict.kind.rawValue), .null, .null,
                    .null, .null, .null,
                ])
            }
        }
        output.rows(
            ["id", "set", "key", "kind", "property", "base", "mine", "theirs", "won"],
            rows,
            empty: "No conflicts."
        )
        // Whoever reads the list has looked at them.
        if let newest { try store.markConflictsSeen(through: newest) }
    }
}
