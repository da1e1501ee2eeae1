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
    /// The properties that are stored.
    let properties: [EntityProperty]
    /// The properties that are filled when the entity is read.
    let calculated: [EntityProperty]
    let collections: [EntityCollection]
    /// The names that the set had before.
    let formerNames: [String]
    /// What `@OnConflict` says of the entity, as it stands in the source.
    let conflictPolicy: String?

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
                    \(raw: parts.joined(separator: ",\n        "))
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
                    \(raw: (properties + calculated).map(\.reading).joined(separator: "\n        "))
                }

                \(raw: access)func bind(into binder: inout Tideline.Binder) {
                    \(raw: properties.map { "self.\($0.name.escaped).bind(into: &binder)" }.joined(separator: "\n        "))
                }
            }
            """
        )
    }

    /// What the description says beside the names.
    private var parts: [String] {
        func list(_ items: [String]) -> String {
            "[\n            \(items.joined(separator: ",\n            "))\n        ]"
        }
        var parts = ["properties: \(list(properties.map(\.description)))"]
        if !collections.isEmpty { parts.append("collections: \(list(collections.map(\.description)))") }
        if !calculated.isEmpty { parts.append("calculated: \(list(calculated.map(\.calculatedDescription)))") }
        parts.append("rules: Self.rules")
        if !formerNames.isEmpty { parts.append("formerNames: \(formerNames.quotedList)") }
        if let conflictPolicy { parts.append("conflictPolicy: \(conflictPolicy)") }
        return parts
    }

    /// The members of `Columns`: a term for each property, the target's columns for each reference, the many of each
    /// collection.
    private var columns: String {
        var members = (properties + calculated).map { property in
            "\(access)var \(property.name.escaped): Tideline.Term<\(property.base)> { "
                + "Tideline.Term(navigationPath, \(property.wire.quoted)) }"
        }
        members += properties.compactMap(\.reference).map { reference in
            "\(access)var \(reference.code.escaped): \(reference.target).Columns { "
                + "\(reference.target).Columns(navigationPath: navigationPath + [\(reference.wire.quoted)]) }"
        }
        members += collections.map { collection in
            "\(access)var \(collection.code.escaped): Tideline.Related<\(collection.target)> { "
                + "Tideline.Related(navigationPath, \(collection.wire.quoted)) }"
        }
        return members.map { "\n        \($0)" }.joined()
    }
}

extension EntityCollection {
    /// The collection in the list of the description.
    fileprivate var description: String {
        var words = [
            "wire: \(wire.quoted)", "code: \(code.quoted)", "of: \(target).self", "inverse: \(inverse.quoted)",
        ]
        if onDelete != ".none" { words.append("onDelete: \(onDelete)") }
        return ".init(\(words.joined(separator: ", ")))"
    }
}

extension EntityProperty {
    /// The property in the list of the description.
    fileprivate var description: String {
        var arguments = ["code: \(name.quoted)", "wire: \(wire.quoted)", "\(type).self"]
        if isKey { arguments.append("isKey: true") }
        if isGenerated || hasComputedDefault { arguments.append("isGenerated: true") }
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
        if let least = bounds?.least { arguments.append("minimum: \(least) as \(base)") }
        if let greatest = bounds?.greatest { arguments.append("maximum: \(greatest) as \(base)") }
        if let pattern { arguments.append("pattern: \(pattern)") }
        if !allowedValues.isEmpty {
            arguments.append("allowedValues: [\(allowedValues.joined(separator: ", "))] as [\(base)]")
        }
        if isReadOnly { arguments.append("isReadOnly: true") }
        if isImmutable { arguments.append("isImmutable: true") }
        if isComputed { arguments.append("isComputed: true") }
        if !isTracked { arguments.append("isTracked: false") }
        if !formerNames.isEmpty { arguments.append("formerNames: \(formerNames.quotedList)") }
        if let conflictPolicy { arguments.append("conflictPolicy: \(conflictPolicy)") }
        return ".init(\(arguments.joined(separator: ", ")))"
    }

    /// The property in the list of what is calculated.
    fileprivate var calculatedDescription: String {
        var arguments = ["code: \(name.quoted)", "wire: \(wire.quoted)", "\(base).self"]
        arguments.append("expression: \(calculation?.expression ?? "\"\"")")
        if calculation?.isCached == true { arguments.append("isCached: true") }
        return ".init(\(arguments.joined(separator: ", ")))"
    }

    /// The statement that reads the property from a row.
    fileprivate var reading: String {
        if calculation != nil { return "self.\(name.escaped) = try row.calculated(\(base).self)" }
        // `T?.read` does not parse as a type in an expression, `Optional<T>.read` does.
        let type = isOptional ? "Swift.Optional<\(base)>" : base
        return "self.\(name.escaped) = try \(type).read(from: &row)"
    }
}

extension [String] {
    /// As a Swift array literal of plain names.
    fileprivate var quotedList: String { "[\(map(\.quoted).joined(separator: ", "))]" }
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
