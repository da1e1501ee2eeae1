// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import TidelineClient
import TidelineModel
import TidelineStore
import TidelineSync

/// `tideline verify`.
struct VerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Compare a store with its service, row by row. Changes nothing.",
        discussion: """
            tideline verify trade.tideline

            The exit status is 1 when a row differs or has changes that wait, and when the
            service does not give a set: the others are compared all the same. What the
            service has beside that, such as a column that is newer than the store, is told.
            """
    )

    @Argument(help: "The store file.") var file: String
    @Flag(help: "Write JSON, one object a difference.") var json = false

    func run() async throws {
        let report = try await DeviceFailure.during("\(file) cannot be compared.", store: file) {
            let device = try DeviceStore(file)
            let line = ProgressLine()
            defer { line.finish() }
            return try await StoreVerifier(store: device.store, client: try device.client()).verify { set, rows in
                line.show(set, done: rows)
            }
        }
        let model = try DeviceStore(file).store.model
        let output = Output(json: json)
        let rows = report.compared.reduce(0) { $0 + $1.rows }
        let equal = output.styled(
            .inStep,
            "Equal: \(PlainText.count(rows, "row")) of \(PlainText.count(report.compared.count, "set"))."
        )
        if report.isEqual {
            output.result(
                [
                    ("equal", .boolean(true)), ("rows", .integer(rows)),
                    ("onlyThere", Self.names(report.properties, \.onlyThere)),
                    ("onlyHere", Self.names(report.properties, \.onlyHere)),
                ],
                text: ([equal] + Self.sentences(report.properties)).joined(separator: "\n")
            )
            return
        }
        defer {
            for sentence in Self.sentences(report.properties) { output.note(sentence) }
            for (set, error) in report.failures {
                DeviceFailure.told("\(set) was not compared.", SyncFailure(error), store: file).write()
            }
        }
        if report.differences.isEmpty { output.note(equal) }
        output.rows(
            ["set", "key", "difference", "properties"],
            report.differences.map { difference in
                let key = model[set: difference.set].map { KeyText.text(difference.key, of: $0) } ?? ""
                return [
                    .text(difference.set), .text(key), .text(difference.kind.rawValue),
                    .text(difference.properties.joined(separator: ", ")),
                ]
            } + (output.isJSON ? Self.rows(report) : []),
            empty: ""
        )
        throw ExitCode(1)
    }

    /// What is told in sentences to a person: sets that were not compared, and properties that only one of both has.
    private static func rows(_ report: VerifyReport) -> [[Output.Cell]] {
        let sides = [("onlyThere", \PropertyDifference.onlyThere), ("onlyHere", \PropertyDifference.onlyHere)]
        return report.failures.map { [.text($0.set), .null, .text("notCompared"), .text("")] }
            + report.properties.flatMap { difference in
                sides.filter { !difference[keyPath: $0.1].isEmpty }.map { name, side in
                    let names = difference[keyPath: side].joined(separator: ", ")
                    return [.text(difference.set), .null, .text(name), .text(names)]
                }
            }
    }

    /// The properties that only one of both has, as `Set.Property`.
    private static func names(
        _ differences: [PropertyDifference],
        _ side: (PropertyDifference) -> [String]
    ) -> Output.Cell {
        .raw(JSONText.array(differences.flatMap { difference in side(difference).map { "\(difference.set).\($0)" } }))
    }

    /// What a store that is in step does not hold, and what it holds for itself alone.
    private static func sentences(_ differences: [PropertyDifference]) -> [String] {
        differences.flatMap { difference in
            let (there, here) = (difference.onlyThere, difference.onlyHere)
            let set = PlainText.foreign(difference.set)
            return [
                there.isEmpty
                    ? nil
                    : "\(set) has \(PlainText.list(there)) at the service, which this store was made without. Clone again "
                        + "to have \(there.count == 1 ? "it" : "them").",
                here.isEmpty
                    ? nil
                    : "\(set) has \(PlainText.list(here)) in this store, which the service does not have or does not show "
                        + "you.",
            ].compactMap(\.self)
        }
    }
}
