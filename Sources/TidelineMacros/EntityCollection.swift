// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import SwiftSyntax

/// What one `@HasMany` of an entity says.
struct EntityCollection {
    /// The navigation property on the wire.
    let wire: String
    /// The navigation property in predicates.
    let code: String
    /// The Swift type of the many, as written.
    let target: String
    /// The navigation property that leads back, on the wire.
    let inverse: String
    /// The name of the case of the delete rule, with its dot.
    let onDelete: String
    /// Where it stands, for messages.
    let node: Syntax
}

extension EntityCollection {
    /// The collections of a struct, in the order of the source; mistakes are reported and left out.
    static func all(in declaration: StructDeclSyntax, report: (EntityMistake, Syntax) -> Void) -> [EntityCollection] {
        declaration.attributes.compactMap { element in
            guard case .attribute(let attribute) = element, attribute.plainName == "HasMany" else { return nil }
            return EntityCollection(attribute, report: report)
        }
    }

    private init?(_ attribute: AttributeSyntax, report: (EntityMistake, Syntax) -> Void) {
        let arguments = attribute.labelledArguments
        func argument(_ label: String) -> ExprSyntax? { arguments.first { $0.label?.text == label }?.expression }
        guard let wire = arguments.first?.expression.plainString, wire.isODataName,
            let target = argument("of")?.as(MemberAccessExprSyntax.self), target.declName.baseName.text == "self",
            let base = target.base, let inverse = argument("inverse")?.plainString, inverse.isODataName
        else {
            report(.badCollection, Syntax(attribute))
            return nil
        }
        self.wire = wire
        code = wire.prefix(1).lowercased() + wire.dropFirst()
        self.target = base.trimmedDescription
        self.inverse = inverse
        onDelete = argument("onDelete")?.trimmedDescription ?? ".none"
        node = Syntax(attribute)
    }
}
