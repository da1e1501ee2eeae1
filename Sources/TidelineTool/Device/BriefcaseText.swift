// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineStore

/// What a briefcase holds, for a person and for a program.
struct BriefcaseText {
    private let summary: BriefcaseSummary

    init(_ summary: BriefcaseSummary) { self.summary = summary }

    /// - Parameter first: a sentence that a person reads before it.
    func write(to output: Output, first: String? = nil) {
        let (briefcase, status) = (summary.briefcase, summary.status)
        let waiting =
            "\(PlainText.count(status.pendingTransactions, "transaction")), \(status.sentTransactions) of them sent"
        let sets = summary.sets.map { ($0.name, Output.Cell.integer($0.rows)) }
        let properties = briefcase.properties.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        output.result(
            [
                ("form", .text(briefcase.form.rawValue)), ("version", .text(briefcase.version)),
                ("properties", Self.cell(briefcase.properties)), ("sets", .raw(JSONText.object(sets))),
                ("pending", .integer(status.pendingTransactions)), ("sent", .integer(status.sentTransactions)),
                ("conflicts", .integer(status.conflicts)), ("quarantined", .integer(status.quarantined)),
            ],
            text: (first.map { $0 + "\n" } ?? "") + """
                form         \(briefcase.form.rawValue)
                version      \(plain(briefcase.version))
                properties   \(plain(properties.joined(separator: ", ")))
                rows         \(plain(summary.sets.map { "\($0.name) \($0.rows)" }.joined(separator: ", ")))
                pending      \(output.styled(status.pendingTransactions == 0 ? .inStep : .pending, waiting))
                conflicts    \(output.styled(status.conflicts == 0 ? .inStep : .conflict, "\(status.conflicts)"))
                quarantined  \(output.styled(status.quarantined == 0 ? .inStep : .refused, "\(status.quarantined)"))
                """
        )
    }

    /// Properties as one JSON object, in the order of their names.
    static func cell(_ properties: [String: String]) -> Output.Cell {
        .raw(JSONText.object(properties.sorted { $0.key < $1.key }.map { ($0.key, .text($0.value)) }))
    }

    /// The failure where no briefcase lies.
    static func missing(_ path: String, _ what: String) -> CommandFailure {
        FilePath.exists(path)
            ? CommandFailure(
                what,
                why: "It is no briefcase that this tideline reads.",
                next: "Name one that tideline briefcase export made; a newer tideline may have a newer format."
            )
            : CommandFailure(what, why: "There is nothing at \(path).", next: "Check the path.")
    }

    /// A text of somebody's on a line of its own: no control character moves the cursor.
    private func plain(_ text: String) -> String { Output.Cell.text(text).plain }
}
