// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// The words of validation failures: a text for each rule, and the names that persons know properties by.
///
///     let german = ValidationMessages(
///         texts: ["validation.required": "{property} fehlt.",
///                 "validation.maxLength": "{property} hat mehr als {maxLength} Zeichen."],
///         names: ["Clients": "Kunde", "Clients.Name": "Der Name"])
///     label.text = german.text(for: failure)
///
/// The key of a text is `validation.` and the rule's identifier; behind it may stand the set, and the set and property,
/// for a text of their own: `validation.required.Clients.Name`. What there is no text for has the English one, and a rule
/// of an entity type the message of the model. In braces stand `entity`, `property` and the failure's arguments.
public struct ValidationMessages: Sendable {
    private let template: @Sendable (_ key: String) -> String?
    private let displayName: @Sendable (_ name: String) -> String?
    private let format: @Sendable (Value) -> String

    /// - Parameters:
    ///   - texts: the text of a key, or `nil`; for example what an app's string table has.
    ///   - names: the display name of `Clients` or of `Clients.Name`, or `nil`.
    ///   - format: how a value of a rule is written, in the reader's manner.
    public init(
        texts: @escaping @Sendable (_ key: String) -> String?,
        names: @escaping @Sendable (_ name: String) -> String?,
        format: @escaping @Sendable (Value) -> String = { $0.text ?? "" }
    ) {
        template = texts
        displayName = names
        self.format = format
    }

    /// - Parameters:
    ///   - texts: texts by their keys.
    ///   - names: display names by `Clients` and `Clients.Name`.
    public init(texts: [String: String] = [:], names: [String: String] = [:]) {
        self.init(texts: { texts[$0] }, names: { names[$0] })
    }

    /// The words of the library itself.
    public static let english = ValidationMessages()

    /// The sentence for a failure.
    public func text(for failure: ValidationFailure) -> String {
        var key = "validation.\(failure.rule.identifier)"
        var keys = [key]
        key += ".\(failure.set)"
        keys.append(key)
        if !failure.properties.isEmpty { keys.append("\(key).\(failure.properties.joined(separator: ","))") }
        for key in keys.reversed() {
            if let text = template(key) { return filled(text, failure) }
        }
        if case .constraint = failure.rule { return failure.message }
        return filled(Self.texts[failure.rule.identifier] ?? "{property} cannot be saved.", failure)
    }

    /// The name that a person knows a set, or a property of it, by: the given one, or the wire name in words.
    public func name(of property: String? = nil, in set: String) -> String {
        guard let property else { return displayName(set) ?? Self.words(set) }
        return displayName("\(set).\(property)") ?? Self.words(property)
    }

    private func filled(_ text: String, _ failure: ValidationFailure) -> String {
        var result = ""
        var rest = text[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            result += rest[..<open]
            let name = String(rest[rest.index(after: open)..<close])
            result += value(name, failure) ?? String(rest[open...close])
            rest = rest[rest.index(after: close)...]
        }
        return result + rest
    }

    private func value(_ name: String, _ failure: ValidationFailure) -> String? {
        switch name {
        case "entity": self.name(in: failure.set)
        case "property":
            failure.properties.isEmpty
                ? self.name(in: failure.set)
                : failure.properties.map { self.name(of: $0, in: failure.set) }.joined(separator: ", ")
        case "references", "dependents":
            if case .string(let set)? = failure.arguments[name] { self.name(in: set) } else { nil }
        default: failure.arguments[name].map(format)
        }
    }

    /// `OrderDate` as `Order date`; capitals in a row stay as they are: `PageURL` is `Page URL`.
    private static func words(_ name: String) -> String {
        var words: [String] = []
        var previous: Character?
        for character in name {
            if character == "_" {
                words.append("")
            } else if words.isEmpty || character.isUppercase && previous?.isUppercase == false {
                words.append(String(character))
            } else {
                words[words.count - 1].append(character)
            }
            previous = character
        }
        words.removeAll(where: \.isEmpty)
        guard let first = words.first else { return name }
        let others = words.dropFirst().map { word in
            word.dropFirst().contains(where: \.isUppercase) ? word : word.lowercased()
        }
        return ([first.prefix(1).uppercased() + first.dropFirst()] + others).joined(separator: " ")
    }

    private static let texts = [
        "required": "{property} is required.",
        "type": "{property} has a value of the wrong kind.",
        "range": "{property} has a value that cannot be stored.",
        "maxLength": "{property} is too long (the limit is {maxLength}).",
        "precision": "{property} has too many digits (the limit is {precision}).",
        "scale": "{property} has too many digits after the point (the limit is {scale}).",
        "minimum": "{property} must be at least {minimum}.",
        "maximum": "{property} must be at most {maximum}.",
        "pattern": "{property} does not have the form that is asked for.",
        "allowedValues": "{property} must be one of: {allowedValues}.",
        "key": "{property} is taken by another entry.",
        "unique": "{property} is taken by another entry.",
        "reference": "{property} refers to something that does not exist.",
        "dependents": "This cannot be deleted: {dependents} still refer to it.",
    ]
}
