// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

extension Queryable {
    /// No rules beside those of the properties.
    public static var rules: [EntityRule] { [] }

    /// A rule with a typed condition.
    ///
    ///     static let rules = [
    ///         rule("Dates", message: "The end comes before the start.", marking: \.endDate) { $0.endDate >= $0.startDate }
    ///     ]
    ///
    /// - Parameters:
    ///   - name: what the rule is called in errors.
    ///   - message: what a person reads when the rule is broken.
    ///   - properties: the properties to mark as wrong; none for the entity as a whole.
    ///   - condition: what has to be true; null breaks the rule as false does.
    public static func rule(
        _ name: String,
        message: String,
        marking properties: PartialKeyPath<Columns>...,
        condition: (Columns) -> Condition
    ) -> EntityRule {
        let columns = Columns(navigationPath: [])
        return EntityRule(
            name: name,
            condition: condition(columns).expression,
            message: message,
            properties: properties.map { wireName($0, columns) }
        )
    }

    /// A rule with a condition in the text of OData: `"EndDate ge StartDate"`.
    ///
    /// - Parameters:
    ///   - name: what the rule is called in errors.
    ///   - condition: what has to be true; it is a mistake of the source when it cannot be read.
    ///   - message: what a person reads when the rule is broken.
    ///   - properties: the properties to mark as wrong; none for the entity as a whole.
    public static func rule(
        _ name: String,
        _ condition: String,
        message: String,
        marking properties: PartialKeyPath<Columns>...
    ) -> EntityRule {
        let columns = Columns(navigationPath: [])
        return EntityRule(
            name: name,
            condition: Expression(source: condition, of: "rule \(name)"),
            message: message,
            properties: properties.map { wireName($0, columns) }
        )
    }

    /// The name on the wire of a property that a key path names.
    private static func wireName(_ path: PartialKeyPath<Columns>, _ columns: Columns) -> String {
        guard case .path(let names)? = (columns[keyPath: path] as? any ExpressionTerm)?.expression, names.count == 1
        else { preconditionFailure("A rule of \(Self.self) marks something that is no property of it.") }
        return names[0]
    }
}

/// A term of any type.
private protocol ExpressionTerm {
    var expression: Expression { get }
}

extension Term: ExpressionTerm {}
