// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// The SQL of an operation, taken apart: statements, and in them parameters by name.
///
///     UPDATE products SET price = :Price WHERE id = :ID; SELECT changes() AS n
///     \____________________/\____/\__________/\__/
///
/// Texts, quoted names and comments are passed over, so that a colon in them means nothing.
package struct OperationScript: Hashable, Sendable {
    /// The databases whose SQL is read, as far as it differs here.
    package enum Language: Hashable, Sendable {
        case sqlite, postgres
    }

    package enum Piece: Hashable, Sendable {
        case text(String)
        case parameter(String)
    }

    package let language: Language
    /// The statements without their semicolons; never an empty one.
    package private(set) var statements: [[Piece]] = []
    /// A parameter of another form, such as `?1`, which SQLite would take.
    package private(set) var foreignParameter: String?

    package init(_ sql: String, language: Language) {
        self.language = language
        var reader = ScriptReader(sql, language)
        statements = reader.statements()
        foreignParameter = reader.foreignParameter
    }

    /// The names of the parameters, each once, in the order of the text.
    package var parameters: [String] {
        var names: [String] = []
        for case .parameter(let name) in statements.joined() where !names.contains(name) { names.append(name) }
        return names
    }

    /// The first word of a statement, upper-case.
    package func keyword(of statement: Int) -> String {
        guard case .text(let text)? = statements[statement].first else { return "" }
        return ScriptReader.firstWord(text, language)
    }

    /// A statement with its parameters in place.
    ///
    /// - Parameter values: what stands for each parameter.
    package func fragment(of statement: Int, _ values: (String) -> SQLFragment) -> SQLFragment {
        SQLFragment(
            statements[statement].map { piece in
                switch piece {
                case .text(let text): SQLFragment(raw: text)
                case .parameter(let name): values(name)
                }
            },
            separator: ""
        )
    }
}
