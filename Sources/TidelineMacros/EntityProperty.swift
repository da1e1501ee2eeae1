// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// One stored property of an entity, as its source says it.
struct EntityProperty {
    /// What `@Reference` says.
    struct Reference {
        /// The navigation property on the wire.
        let wire: String
        /// The navigation property in code.
        let code: String
        /// The Swift type it leads to, as written.
        let target: String
        /// The name of the case of the delete rule, with its dot.
        let onDelete: String
        /// The navigation property that leads back, on the wire.
        let inverse: String?
    }

    /// What `@Calculated` says.
    struct Calculation {
        /// The expression, as it stands in the source: a string literal.
        let expression: String
        let isCached: Bool
    }

    /// What `@Range` says: the texts of the bounds.
    struct Bounds {
        var least: String?
        var greatest: String?
    }

    let name: String
    /// The type as written.
    let type: String
    /// The type without its `?`.
    let base: String
    let isOptional: Bool
    let isConstant: Bool
    /// The text of the default value.
    let initializer: String?
    /// Whether the default is a literal, so that it can stand in the model.
    let hasLiteralDefault: Bool
    var wire: String
    var isKey = false
    var isGenerated = false
    var isLocalOnly = false
    var isUnique = false
    var maxLength: Int?
    var precision: Int?
    var scale: Int?
    var reference: Reference?
    var calculation: Calculation?
    var bounds: Bounds?
    /// The pattern, as it stands in the source: a string literal.
    var pattern: String?
    /// The texts of the values of `@AllowedValues`.
    var allowedValues: [String] = []
    var isReadOnly = false
    var isImmutable = false
    var isComputed = false
    var hasComputedDefault = false
    var isTracked = true
    var formerNames: [String] = []
    /// What `@OnConflict` says, as it stands in the source.
    var conflictPolicy: String?
    /// Where the property stands, for messages.
    let node: Syntax
}

extension EntityProperty {
    /// The stored properties of a struct, in the order of the source; mistakes are reported and left out.
    static func all(in declaration: StructDeclSyntax, report: (EntityMistake, Syntax) -> Void) -> [EntityProperty] {
        declaration.memberBlock.members.compactMap { member in
            guard let variable = member.decl.as(VariableDeclSyntax.self) else { return nil }
            guard variable.isStoredInstanceProperty else {
                for attribute in variable.attributes.compactMap({ $0.as(AttributeSyntax.self) })
                where markers.contains(attribute.plainName) {
                    report(.notStored(attribute.plainName), Syntax(attribute))
                }
                return nil
            }
            return EntityProperty(variable, report: report)
        }
    }

    /// The attributes that say something of a property.
    private static let markers: Set<String> = [
        "Key", "Name", "Reference", "LocalOnly", "Unique", "MaxLength", "Precision", "Range", "Pattern",
        "AllowedValues", "Calculated", "Renamed", "ReadOnly", "Immutable", "Computed", "ComputedDefault",
        "Untracked", "OnConflict",
    ]

    private init?(_ variable: VariableDeclSyntax, report: (EntityMistake, Syntax) -> Void) {
        guard variable.bindings.count == 1, let binding = variable.bindings.first else {
            report(.severalBindings, Syntax(variable))
            return nil
        }
        guard let pattern = binding.pattern.as(IdentifierPatternSyntax.self) else {
            report(.notAPlainName, Syntax(binding.pattern))
            return nil
        }
        let name = pattern.identifier.identifier?.name ?? pattern.identifier.text
        guard let type = binding.typeAnnotation?.type.trimmed else {
            report(.noType(of: name), Syntax(binding.pattern))
            return nil
        }
        let wrapped = type.wrappedOptional
        self.init(
            name: name,
            type: type.description,
            base: (wrapped ?? type).trimmedDescription,
            isOptional: wrapped != nil,
            isConstant: variable.bindingSpecifier.tokenKind == .keyword(.let),
            initializer: binding.initializer?.value.trimmedDescription,
            hasLiteralDefault: binding.initializer?.value.isPlainLiteral ?? false,
            wire: name.prefix(1).uppercased() + name.dropFirst(),
            node: Syntax(binding.pattern)
        )
        guard !(isConstant && initializer != nil) else { return nil }  // A constant of the type, not of the row.
        for case .attribute(let attribute) in variable.attributes {
            read(attribute, report: report)
        }
        if isLocalOnly, !isOptional, initializer == nil { report(.localWithoutDefault, node) }
        if isLocalOnly, isKey { report(.localKey, node) }
        if isComputed, !isOptional, initializer == nil { report(.computedWithoutDefault, node) }
        if hasComputedDefault, !isOptional || (initializer ?? "nil") != "nil" { report(.neverComputedDefault, node) }
        if hasComputedDefault, isKey || isComputed { report(.misplacedComputedDefault, node) }
        if calculation != nil { checkCalculated(variable, report: report) }
    }

    /// Takes over what one attribute says.
    private mutating func read(_ attribute: AttributeSyntax, report: (EntityMistake, Syntax) -> Void) {
        let arguments = attribute.labelledArguments
        switch attribute.plainName {
        case "Key":
            isKey = true
            isGenerated = arguments.first { $0.label?.text == "generated" }?.expression.trimmedDescription == "true"
            if isOptional { report(.nullableKey, node) }
            if isGenerated, !["Int", "Int16", "Int32", "Int64"].contains(base) {
                report(.notGenerated(base), Syntax(attribute))
            }
        case "Name":
            guard let text = arguments.first?.expression.plainString, text.isODataName else {
                report(.badName(arguments.first?.expression.trimmedDescription ?? ""), Syntax(attribute))
                return
            }
            wire = text
        case "LocalOnly": isLocalOnly = true
        case "Unique": isUnique = true
        case "ReadOnly": isReadOnly = true
        case "Immutable": isImmutable = true
        case "Computed": isComputed = true
        case "ComputedDefault": hasComputedDefault = true
        case "Untracked": isTracked = false
        case "OnConflict": conflictPolicy = attribute.conflictPolicy
        case "MaxLength": readMaxLength(attribute, arguments, report: report)
        case "Precision": readPrecision(attribute, arguments, report: report)
        case "Reference": readReference(attribute, arguments, report: report)
        case "Range": readRange(attribute, arguments, report: report)
        case "Pattern": readPattern(attribute, arguments, report: report)
        case "AllowedValues": readAllowedValues(attribute, arguments, report: report)
        case "Calculated": readCalculation(attribute, arguments, report: report)
        case "Renamed": formerNames = attribute.formerNames(of: wire, report: report)
        default: break
        }
    }

    private mutating func readMaxLength(
        _ attribute: AttributeSyntax,
        _ arguments: [LabeledExprSyntax],
        report: (EntityMistake, Syntax) -> Void
    ) {
        guard let length = arguments.first?.expression.plainInteger, length > 0 else {
            report(.badMaxLength, Syntax(attribute))
            return
        }
        if ["Bool", "Int", "Int16", "Int32", "Int64", "Double", "EdmDecimal", "GUID", "DateTimeOffset"].contains(base) {
            report(.noLength(base), Syntax(attribute))
        }
        maxLength = length
    }

    private mutating func readPrecision(
        _ attribute: AttributeSyntax,
        _ arguments: [LabeledExprSyntax],
        report: (EntityMistake, Syntax) -> Void
    ) {
        let scaleArgument = arguments.first { $0.label?.text == "scale" }
        guard let precision = arguments.first?.expression.plainInteger, precision >= 0,
            scaleArgument == nil || (scaleArgument?.expression.plainInteger).map({ 0...precision ~= $0 }) == true
        else {
            report(.badPrecision, Syntax(attribute))
            return
        }
        if ["Bool", "String", "Int", "Int16", "Int32", "Int64", "Double", "GUID", "[UInt8]"].contains(base) {
            report(.noPrecision(base), Syntax(attribute))
        }
        self.precision = precision
        scale = scaleArgument?.expression.plainInteger
    }

    private mutating func readReference(
        _ attribute: AttributeSyntax,
        _ arguments: [LabeledExprSyntax],
        report: (EntityMistake, Syntax) -> Void
    ) {
        guard let wire = arguments.first?.expression.plainString, wire.isODataName,
            let target = arguments.first(where: { $0.label?.text == "to" })?.expression.as(MemberAccessExprSyntax.self),
            target.declName.baseName.text == "self", let base = target.base
        else {
            report(.badReference, Syntax(attribute))
            return
        }
        reference = Reference(
            wire: wire,
            code: wire.prefix(1).lowercased() + wire.dropFirst(),
            target: base.trimmedDescription,
            onDelete: arguments.first { $0.label?.text == "onDelete" }?.expression.trimmedDescription ?? ".none",
            inverse: arguments.first { $0.label?.text == "inverse" }?.expression.plainString
        )
    }
}
