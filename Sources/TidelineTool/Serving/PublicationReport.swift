// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineSQLite
import TidelineStorage

/// What was published, and what was not.
struct PublicationReport {
    let domain: String
    let database: String
    let model: EntityModel
    let problems: [Introspection.Problem]
    /// What was left out because the domain's file says so.
    let leftOut: [String]
    let isOpen: Bool

    /// Writes the sets as a table and the problems below it; one JSON object each for programs.
    func write(to output: Output, serve: String) {
        output.rows(
            ["set", "key", "properties", "access", "forms"],
            model.sets.map { set in
                let type = set.type
                let forms = type.properties.filter { $0.storage != .native }
                    .map { "\($0.names.wire): \($0.storage.rawValue)" }
                return [
                    .text(set.names.wire),
                    .text(type.key.map { type.properties[$0].names.wire }.joined(separator: ", ")),
                    .integer(type.properties.count),
                    .text(set.isReadOnly ? "read only" : "read, write"),
                    .text(forms.joined(separator: ", ")),
                ]
            },
            empty: "The database has no tables yet: the domain is empty."
        )
        if !problems.isEmpty {
            output.note("")
            if output.isJSON {
                output.rows(
                    ["problem", "skipped", "message", "guess"],
                    problems.map {
                        [.text($0.table), .boolean($0.isRefusal), .text($0.message), .text($0.guess?.rawValue ?? "")]
                    },
                    empty: ""
                )
            } else {
                for problem in problems {
                    let word = problem.isRefusal ? output.styled(.pending, "skipped") : "note"
                    guard problem.guess == nil else { continue }
                    let isNamed = problem.message.hasPrefix(problem.table)
                    output.note("\(word)  \(isNamed ? "" : problem.table + ": ")\(problem.message)")
                }
                for problem in problems {
                    guard let guess = problem.guess else { continue }
                    output.note("hint  \(problem.message) To have it so: --guess \(guess.rawValue)")
                }
            }
        }
        if !leftOut.isEmpty, !output.isJSON {
            if problems.isEmpty { output.note("") }
            output.note("note  Left out, as the domain's file says: \(leftOut.joined(separator: ", ")).")
        }
        let who = isOpen ? "open to everybody" : "by its policies"
        output.note("\n\(output.styled(.inStep, "✓")) \(database) is published as \(domain), \(who).")
        output.note("  Serve it: \(serve)")
    }
}
