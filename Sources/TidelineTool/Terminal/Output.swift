// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Where a command writes what it found: a table on a terminal, JSON lines with `--json` or in a pipe.
struct Output {
    /// One value.
    enum Cell {
        case null
        case text(String)
        /// A number as it is written in JSON; right-aligned in a table.
        case number(String)
        case boolean(Bool)
        /// Any JSON text, such as an object or array.
        case raw(String)
        /// A collection or an object: JSON in JSON, in a table the items of a collection.
        case structured(JSONValue)

        static func integer(_ value: some BinaryInteger) -> Cell { .number("\(value)") }

        /// The value in JSON.
        var json: String {
            switch self {
            case .null: "null"
            case .text(let text): JSONText.string(text)
            case .structured(let value): value.text
            case .number(let text), .raw(let text): text
            case .boolean(let value): value ? "true" : "false"
            }
        }

        /// The value in a table; control characters are shown as a middle dot, so that no value moves the cursor.
        var plain: String {
            switch self {
            case .null: ""
            case .text(let text), .raw(let text): Self.withoutControls(text)
            case .structured(let value): Self.withoutControls(value.plain)
            case .number(let text): text
            case .boolean(let value): value ? "true" : "false"
            }
        }

        fileprivate var isNumber: Bool {
            if case .number = self { true } else { false }
        }

        private static func withoutControls(_ text: String) -> String {
            String(
                String.UnicodeScalarView(
                    text.unicodeScalars.map { $0.properties.generalCategory == .control ? "·" : $0 }
                )
            )
        }
    }

    /// Whether JSON is written: asked for, or nobody is looking.
    let isJSON: Bool
    private let colour: Bool

    /// - Parameter json: whether `--json` was given.
    init(json: Bool) {
        isJSON = json || !StandardStream.output.isTerminal
        colour = !isJSON && StandardStream.output.allowsColour
    }

    /// Writes rows: all at once, so that columns can be aligned.
    ///
    /// - Parameter empty: the sentence that a person sees when there are no rows.
    func rows(_ columns: [String], _ rows: [[Cell]], empty: String) {
        if isJSON {
            var text = ""
            for row in rows {
                text += JSONText.object(Array(zip(columns, row))) + "\n"
                if text.utf8.count > 64 * 1024 {
                    StandardStream.output.write(text)
                    text = ""
                }
            }
            StandardStream.output.write(text)
        } else if rows.isEmpty {
            StandardStream.output.write(empty + "\n")
        } else {
            StandardStream.output.write(table(columns, rows))
        }
    }

    /// Writes one result: sentences for a person, one JSON object for a program.
    ///
    /// - Parameter text: the sentences, without a final line break.
    func result(_ fields: [(String, Cell)], text: String) {
        StandardStream.output.write((isJSON ? JSONText.object(fields) : text) + "\n")
    }

    /// Writes a sentence for a person: nothing in JSON.
    func note(_ text: String) {
        if !isJSON { StandardStream.output.write(text + "\n") }
    }

    /// A text in the colour of its meaning, on a terminal.
    func styled(_ meaning: Style.Meaning, _ text: String) -> String {
        Style.apply(meaning, text, colour: colour)
    }

    private func table(_ columns: [String], _ rows: [[Cell]]) -> String {
        let numeric = columns.indices.map { column in
            rows.contains { $0[column].isNumber } && rows.allSatisfy { $0[column].isNumber || $0[column].plain.isEmpty }
        }
        let texts = rows.map { $0.map(\.plain) }
        let widest = 60
        let widths = columns.indices.map { column in
            min(widest, max(columns[column].count, texts.map { $0[column].count }.max() ?? 0))
        }
        func line(_ cells: [String]) -> String {
            let padded = cells.enumerated().map { column, text in
                let text = text.count > widths[column] ? String(text.prefix(widths[column] - 1)) + "…" : text
                let padding = String(repeating: " ", count: widths[column] - text.count)
                return numeric[column] ? padding + text : text + padding
            }
            var line = padded.joined(separator: "  ")
            while line.last == " " { line.removeLast() }
            return line
        }
        var text = styled(.strong, line(columns)) + "\n"
        for row in texts { text += line(row) + "\n" }
        return text
    }
}
