// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import SwiftSyntax

extension VariableDeclSyntax {
    /// Whether this declares stored properties of an instance: no `static`, no getter.
    var isStoredInstanceProperty: Bool {
        guard !modifiers.contains(where: { ["static", "class", "lazy"].contains($0.name.text) }) else { return false }
        return bindings.allSatisfy { binding in
            switch binding.accessorBlock?.accessors {
            case nil: true
            case .getter: false
            case .accessors(let list):
                list.allSatisfy { ["willSet", "didSet"].contains($0.accessorSpecifier.text) }
            }
        }
    }
}

extension TypeSyntax {
    /// What is optional in `T?` and `Optional<T>`, or `nil`.
    var wrappedOptional: TypeSyntax? {
        if let optional = self.as(OptionalTypeSyntax.self) { return optional.wrappedType.trimmed }
        guard let named = self.as(IdentifierTypeSyntax.self), named.name.text == "Optional",
            case .type(let wrapped)? = named.genericArgumentClause?.arguments.first?.argument
        else { return nil }
        return wrapped.trimmed
    }
}

extension ExprSyntax {
    /// The text of a string literal without interpolation, or `nil`.
    var plainString: String? {
        self.as(StringLiteralExprSyntax.self)?.representedLiteralValue
    }

    /// The value of an integer literal, or `nil`.
    var plainInteger: Int? {
        self.as(IntegerLiteralExprSyntax.self).flatMap { Int($0.literal.text.filter { $0 != "_" }) }
    }

    /// Whether this is a literal number, string or Boolean, a sign before it included.
    var isPlainLiteral: Bool {
        if let signed = self.as(PrefixOperatorExprSyntax.self) { return signed.expression.isPlainLiteral }
        return self.is(IntegerLiteralExprSyntax.self) || self.is(FloatLiteralExprSyntax.self)
            || self.is(BooleanLiteralExprSyntax.self) || plainString != nil
    }
}

extension AttributeSyntax {
    /// The name without its module.
    var plainName: String {
        attributeName.trimmedDescription.split(separator: ".").last.map(String.init) ?? ""
    }

    /// What `@Renamed(from: "Old", "Older")` names.
    ///
    /// - Parameter name: what the thing is called now.
    func formerNames(of name: String, report: (EntityMistake, Syntax) -> Void) -> [String] {
        labelledArguments.compactMap { argument in
            guard let text = argument.expression.plainString, text.isODataName else {
                report(.badName(argument.expression.trimmedDescription), Syntax(self))
                return nil
            }
            if text == name { report(.renamedToItself(text), Syntax(self)) }
            return text
        }
    }

    /// What `@OnConflict(.words, else: .ask)` says, as the initialiser of the policy takes it.
    var conflictPolicy: String {
        let arguments = labelledArguments.map { argument in
            (argument.label.map { "\($0.text): " } ?? "") + argument.expression.trimmedDescription
        }
        return "Tideline.ConflictPolicy(\(arguments.joined(separator: ", ")))"
    }

    /// The arguments in parentheses, or none.
    var labelledArguments: [LabeledExprSyntax] {
        guard case .argumentList(let list)? = arguments else { return [] }
        return Array(list)
    }
}

extension String {
    /// Whether this is a simple identifier of OData.
    ///
    /// Source: OData CSDL 4.01, section 15.2: a letter or underscore, then at most 127 letters, digits, marks and the like.
    var isODataName: Bool {
        guard let first = unicodeScalars.first, unicodeScalars.count <= 128 else { return false }
        return first.beginsODataName
            && unicodeScalars.dropFirst().allSatisfy { $0.beginsODataName || $0.continuesODataName }
    }
}

extension Unicode.Scalar {
    fileprivate var beginsODataName: Bool {
        switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .letterNumber: true
        default: self == "_"
        }
    }

    fileprivate var continuesODataName: Bool {
        switch properties.generalCategory {
        case .decimalNumber, .nonspacingMark, .spacingMark, .connectorPunctuation, .format: true
        default: false
        }
    }
}
