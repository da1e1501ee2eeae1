// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import TidelineModel
import TidelineService
import TidelineStorage

/// `tideline conflict restore`.
struct ConflictRestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Write the values that lost again, over what is there now.",
        discussion: """
            tideline conflict restore shop 7 --data ./data

            A row that was deleted is made again. The rules of the model hold, policies do
            not: the administrator decides. Devices receive it as any other change, and
            what it replaces is another entry of the log. Values of properties that the
            model has no more are left out, and named.
            """
    )

    @Argument(help: "The domain.") var domain: String
    @Argument(help: "The number of the entry.") var id: Int64
    @OptionGroup var data: DataOption
    @Flag(help: "Write JSON.") var json = false

    func run() async throws {
        let service = try DomainConflicts(domain, data)
        let conflict = try service.entry(id)
        let missing: [String]
        do {
            missing = try service.service.restore(
                conflict: id,
                as: UserContext(id: .null, name: "tideline conflict restore"),
                at: DomainConflicts.now()
            )
        } catch {
            throw CommandFailure.wrap("The values of entry \(id) were not restored.", error)
        }
        var fields: [(String, Output.Cell)] = [("domain", .text(domain)), ("restored", .integer(id))]
        var text = "\(conflict.set)\(conflict.key) has the values again that had lost; devices receive them."
        if !missing.isEmpty {
            let names = missing.joined(separator: ", ")
            fields.append(("leftOut", .raw(JSONText.array(missing))))
            text += " Left out, since \(conflict.set) has no such property any more: \(names)."
        }
        Output(json: json).result(fields, text: text)
    }
}
