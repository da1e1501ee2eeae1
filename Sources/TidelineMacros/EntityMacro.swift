// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// `@Entity("Orders")`: makes a struct an entity.
///
/// As a member it adds an initialiser of all properties, where the struct has none of its own. As an extension it adds
/// the conformance: the description, the columns for predicates, reading a row, writing a row.
public enum EntityMacro {
    /// The properties of an entity whose source has no mistake, or `nil` after reporting the mistakes.
    private static func entity(
        _ node: AttributeSyntax,
        _ declaration: some DeclGroupSyntax,
        report: (EntityMistake, Syntax) -> Void
    ) -> EntitySource? {
        guard let type = declaration.as(StructDeclSyntax.self) else {
            report(.notAStruct, Syntax(node))
            return nil
        }
        var hasMistake = false
        func note(_ mistake: EntityMistake, _ place: Syntax) {
            hasMistake = true
            report(mistake, place)
        }
        let arguments = node.labelledArguments
        let set = arguments.first { $0.label == nil }?.expression.plainString
        if let set, !set.isODataName { note(.badName(set), Syntax(node)) }
        if set == nil { note(.noSetName, Syntax(node)) }
        let typeName = arguments.first { $0.label?.text == "type" }?.expression.plainString
        if let typeName, !typeName.isODataName { note(.badName(typeName), Syntax(node)) }

        let properties = EntityProperty.all(in: type, report: note)
        let keys = properties.filter(\.isKey)
        if properties.isEmpty, !hasMistake {
            note(.noProperties, Syntax(type.name))
        } else if keys.isEmpty, !hasMistake {
            note(.noKey, Syntax(type.name))
        }
        if keys.count > 1, let generated = keys.first(where: \.isGenerated) {
            note(.severalGeneratedKeys, generated.node)
        }
        var names: Set<String> = []
        for property in properties where !names.insert(property.wire).inserted {
            note(.sameName(property.wire), property.node)
        }
        for property in properties {
            if let reference = property.reference, !names.insert(reference.wire).inserted {
                note(.sameName(reference.wire), property.node)
            }
        }
        guard !hasMistake, let set else { return nil }
        return EntitySource(
            name: type.name.text,
            set: set,
            type: typeName ?? type.name.text,
            access: type.modifiers.first { ["public", "package"].contains($0.name.text) }.map { "\($0.name.text) " }
                ?? "",
            hasInitializer: type.memberBlock.members.contains { $0.decl.is(InitializerDeclSyntax.self) },
            properties: properties
        )
    }
}

extension EntityMacro: MemberMacro {
    public static func expansion(
        of node: AttributeSyntax,
        providingMembersOf declaration: some DeclGroupSyntax,
        conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        // The extension reports the mistakes; told twice they would be noise.
        guard let entity = entity(node, declaration, report: { _, _ in }), !entity.hasInitializer else { return [] }
        return [entity.initializer]
    }
}

extension EntityMacro: ExtensionMacro {
    public static func expansion(
        of node: AttributeSyntax,
        attachedTo declaration: some DeclGroupSyntax,
        providingExtensionsOf type: some TypeSyntaxProtocol,
        conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
        let entity = entity(node, declaration) { mistake, place in
            context.diagnose(Diagnostic(node: place, message: mistake))
        }
        guard let entity else { return [] }
        return [try entity.conformance(of: type)]
    }
}
