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

        let declared = EntityProperty.all(in: type, report: note)
        let properties = declared.filter { $0.calculation == nil }
        let calculated = declared.filter { $0.calculation != nil }
        let collections = EntityCollection.all(in: type, report: note)
        let keys = properties.filter(\.isKey)
        if properties.isEmpty, !hasMistake {
            note(.noProperties, Syntax(type.name))
        } else if keys.isEmpty, !hasMistake {
            note(.noKey, Syntax(type.name))
        }
        if keys.count > 1, let generated = keys.first(where: \.isGenerated) {
            note(.severalGeneratedKeys, generated.node)
        }
        checkNames(declared, collections, report: note)
        var formerNames: [String] = []
        var conflictPolicy: String?
        for case .attribute(let attribute) in type.attributes {
            switch attribute.plainName {
            case "Renamed": formerNames = attribute.formerNames(of: set ?? "", report: note)
            case "OnConflict": conflictPolicy = attribute.conflictPolicy
            default: break
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
            properties: properties,
            calculated: calculated,
            collections: collections,
            formerNames: formerNames,
            conflictPolicy: conflictPolicy
        )
    }

    /// Whether all that predicates and the wire can name has a name of its own.
    private static func checkNames(
        _ properties: [EntityProperty],
        _ collections: [EntityCollection],
        report: (EntityMistake, Syntax) -> Void
    ) {
        var named = properties.map { (wire: $0.wire, code: $0.name, node: $0.node) }
        named += properties.compactMap { property in
            property.reference.map { ($0.wire, $0.code, property.node) }
        }
        named += collections.map { ($0.wire, $0.code, $0.node) }
        var wires: Set<String> = []
        var codes: Set<String> = []
        for (wire, code, node) in named {
            if !wires.insert(wire).inserted {
                report(.sameName(wire), node)
            } else if !codes.insert(code).inserted {
                report(.sameCode(code), node)
            }
        }
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
