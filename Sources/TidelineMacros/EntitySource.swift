// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import SwiftSyntax
import SwiftSyntaxBuilder

/// An entity without mistakes, and the Swift that is made from it.
struct EntitySource {
    /// The struct's name in code.
    let name: String
    /// The entity set's name on the wire.
    let set: String
    /// The entity type's name on the wire.
    let type: String
    /// `public `, `package ` or nothing.
    let access: String
    /// Whether the struct has an initialiser of its own.
    let hasInitializer: Bool
    let properties: [EntityProperty]

    /// The initialiser of all properties: a generated key may be left out, it comes with the insert.
    var initializer: DeclSyntax {
        let parameters = properties.map { property in
            let value = property.isGenerated ? property.initializer ?? "0" : property.initializer
            let standard = value ?? (property.isOptional ? "nil" : nil)
            return "\(property.name.escaped): \(property.type)" + (standard.map { " = \($0)" } ?? "")
        }
        let assignments = properties.map { "self.\($0.name.escaped) = \($0.name.escaped)" }
        return """
            \(raw: access)init(
                \(raw: parameters.joined(separator: ",\n    "))
            ) {
                \(raw: assignments.joined(separator: "\n    "))
            }
            """
    }

    /// The extension that makes the struct an entity.
    func conformance(of type: some TypeSyntaxProtocol) throws -> ExtensionDeclSyntax {
        let key = properties.filter(\.isKey).map { "\($0.name.escaped).edmValue" }.joined(separator: ", ")
        return try ExtensionDeclSyntax(
            """
            extension \(type.trimmed): Tideline.Queryable {
                \(raw: access)static let entityDescription = Tideline.EntityDescription(
                    set: \(literal: set),
                    type: \(literal: self.type),
                    properties: [
                        \(raw: properties.map(\.description).joined(separator: ",\n            "))
                    ]
                )

                \(raw: access)static let entitySet = entityDescription.entitySet

                \(raw: access)struct Columns: Tideline.EntityColumns {
                    \(raw: access)let navigationPath: [String]

                    \(raw: access)init(navigationPath: [String]) {
                        self.navigationPath = navigationPath
                    }
                    \(raw: columns)
                }

                \(raw: access)var entityKey: Tideline.Key {
                    Tideline.Key([\(raw: key)])
                }

                \(raw: access)var edmValues: [Tideline.Value] {
                    [
                        \(raw: properties.map { "\($0.name.escaped).edmValue" }.joined(separator: ",\n            "))
                    ]
                }

                \(raw: access)init(row: inout Tideline.RowCursor) throws {
                    \(raw: properties.map(\.reading).joined(separator: "\n        "))
                }

                \(raw: access)func bind(into binder: inout Tideline.Binder) {
                    \(raw: properties.map { "self.\($0.name.escaped).bind(into: &binder)" }.joined(separator: "\n        "))
                }
            }
            """
        )
    }

    /// The members of `Columns`: a term for each property, the target's columns for each reference.
    private var columns: String {
        var members = properties.map { property in
            "\(access)var \(property.name.escaped): Tideline.Term<\(property.base)> { "
                + "Tideline.Term(navigationPath, \(property.wire.quoted)) }"
        }
        members += properties.compactMap(\.reference).map { reference in
            "\(access)var \(reference.code.escaped): \(reference.target).Columns { "
                + "\(reference.target).Columns(navigationPath: navigationPath + [\(reference.wire.quoted)]) }"
        }
        return members.map { "\n        \($0)" }.joined()
    }
}

extension EntityProperty {
    /// The property in the list of the description.
    fileprivate var description: String {
        var arguments = ["code: \(name.quoted)", "wire: \(wire.quoted)", "\(type).self"]
        if isKey { arguments.append("isKey: true") }
        if isGenerated { arguments.append("isGenerated: true") }
        if isUnique { arguments.append("isUnique: true") }
        if isLocalOnly { arguments.append("isLocalOnly: true") }
        if let maxLength { arguments.append("maxLength: \(maxLength)") }
        if let precision { arguments.append("precision: \(precision)") }
        if let scale { arguments.append("scale: \(scale)") }
        if hasLiteralDefault, let initializer { arguments.append("defaultValue: \(initializer) as \(type)") }
        if let reference {
            var words = [
                "wire: \(reference.wire.quoted)", "code: \(reference.code.quoted)", "to: \(reference.target).self",
            ]
            if reference.onDelete != ".none" { words.append("onDelete: \(reference.onDelete)") }
            if let inverse = reference.inverse { words.append("inverse: \(inverse.quoted)") }
            arguments.append("reference: .init(\(words.joined(separator: ", ")))")
        }
        return ".init(\(arguments.joined(separator: ", ")))"
    }

    /// The statement that reads the property from a row.
    fileprivate var reading: String {
        // `T?.read` does not parse as a type in an expression, `Optional<T>.read` does.
        let type = isOptional ? "Swift.Optional<\(base)>" : base
        return "self.\(name.escaped) = try \(type).read(from: &row)"
    }
}

extension String {
    /// As a Swift string literal.
    fileprivate var quoted: String { "\"\(self)\"" }

    /// With backticks where the name is a keyword.
    fileprivate var escaped: String {
        [
            "class", "default", "func", "in", "init", "internal", "is", "let", "operator", "private", "protocol",
            "public",
            "repeat", "return", "self", "static", "struct", "switch", "var", "where", "while", "for", "case", "import",
            "extension", "enum", "do", "if", "else", "as", "break", "continue", "defer", "guard", "super", "throw",
            "throws", "try", "true", "false", "nil", "Any", "Self", "subscript", "typealias", "rethrows", "inout",
            "fileprivate", "deinit", "catch", "associatedtype", "fallthrough",
        ].contains(self) ? "`\(self)`" : self
    }
}
