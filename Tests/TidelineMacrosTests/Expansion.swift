// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import SwiftDiagnostics
import SwiftParser
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros

@testable import TidelineMacros

/// What expanding the macros of a source gives: the new source, and the mistakes with their places.
struct Expansion {
    let source: String
    /// `line:column message` of each mistake, in the order of the source.
    let mistakes: [String]

    private static let macros: [String: any Macro.Type] = [
        "Entity": EntityMacro.self, "Key": MarkerMacro.self, "Name": MarkerMacro.self, "Reference": MarkerMacro.self,
        "LocalOnly": MarkerMacro.self, "Unique": MarkerMacro.self, "MaxLength": MarkerMacro.self,
        "Precision": MarkerMacro.self,
    ]

    init(_ text: String) {
        let file = Parser.parse(source: text)
        let context = BasicMacroExpansionContext(
            sourceFiles: [file: .init(moduleName: "Test", fullFilePath: "Test.swift")]
        )
        let expanded = file.expand(
            macroSpecs: Self.macros.mapValues { MacroSpec(type: $0, conformances: ["Queryable"]) },
            contextGenerator: { _ in context },
            indentationWidth: .spaces(4)
        )
        source = expanded.description
        mistakes = context.diagnostics
            .map { diagnostic in
                let place = context.location(
                    for: diagnostic.position,
                    anchoredAt: diagnostic.node,
                    fileName: "Test.swift"
                )
                return (place.line, place.column, diagnostic.message)
            }
            .sorted { ($0.0, $0.1) < ($1.0, $1.1) }
            .map { "\($0.0):\($0.1) \($0.2)" }
    }
}
