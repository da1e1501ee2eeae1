// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// The rules of an entity type as annotations: `Validation.Constraint`, whose qualifier is the name of the rule.
///
///     Validation.Constraint#Dates {FailureMessage: "…", Condition: EndDate ge StartDate} @Tideline.V1.Properties [EndDate]
///
/// A condition that CSDL has no form for, or one of many levels, stands as text under `Tideline.V1.Constraint`.
/// Source: OData vocabulary Validation V1, term `Constraint`.
enum ConstraintAnnotations {
    private static let ownTerm = "Tideline.V1.Constraint"
    private static let propertiesTerm = "Tideline.V1.Properties"
    /// The most levels of a condition in elements: an operator is two levels of JSON, of which readers take a hundred.
    private static let maxLevels = 32

    /// The annotations of a set's entity type; rules over what never crosses the wire are not told.
    static func annotations(of set: EntitySet, in model: EntityModel) -> [Annotation] {
        let checker = ExpressionChecker(model: model, set: set)
        return set.type.rules.compactMap { rule in
            guard SimpleIdentifier.isName(rule.name), let typed = try? checker.condition(rule.condition),
                !typed.paths.contains(where: { $0.navigations.isEmpty && set.type.properties[$0.property].isLocalOnly })
            else { return nil }
            let message = AnnotationExpression.string(rule.message)
            let written = ConstraintExpression.annotation(rule.condition)
            let condition = written.flatMap { $0.levels(upTo: maxLevels) < maxLevels ? $0 : nil }
            let properties = rule.properties.map(AnnotationExpression.string)
            return Annotation(
                condition == nil ? ownTerm : Vocabulary.validation.term("Constraint"),
                .members([
                    ("FailureMessage", message),
                    ("Condition", condition ?? .string(ExpressionPrinter.print(rule.condition))),
                ]),
                qualifier: rule.name,
                annotations: properties.isEmpty ? [] : [Annotation(propertiesTerm, .collection(properties))]
            )
        }
    }

    /// The rule that an annotation says; `nil` for another annotation.
    ///
    /// - Throws: ``ODataError`` for a condition that is none.
    static func rule(_ annotation: Annotation) throws(ODataError) -> EntityRule? {
        let isOwn = annotation.term == ownTerm
        guard isOwn || Vocabulary.validation.names(annotation.term, "Constraint") else { return nil }
        guard let said = annotation.value?["Condition"] else {
            throw ODataError(.invalidMetadata, "It has no condition.")
        }
        var condition: Expression?
        if isOwn, let text = said.text {
            condition = try ExpressionParser.parse(text)
        } else {
            condition = ConstraintExpression.expression(said)
        }
        guard let condition else {
            throw ODataError(.notSupported, "Its condition has what expressions over entities do not have.")
        }
        let name = annotation.qualifier ?? "Constraint"
        let properties = annotation.annotations.first { $0.term == propertiesTerm }?.value?.items ?? []
        return EntityRule(
            name: name,
            condition: condition,
            message: annotation.value?["FailureMessage"]?.text ?? "The entity breaks the rule \(name).",
            properties: properties.compactMap(\.text)
        )
    }
}

extension AnnotationExpression {
    /// How many operators and collections stand within each other, counted no further than a limit.
    fileprivate func levels(upTo limit: Int) -> Int {
        guard limit > 0 else { return 0 }
        let inner: [AnnotationExpression] =
            switch self {
            case .operation(let operation): operation.operands
            case .collection(let items): items
            case .constant, .path, .record, .labeledElementReference: []
            }
        var deepest = 0
        for expression in inner { deepest = max(deepest, expression.levels(upTo: limit - 1)) }
        return deepest + 1
    }
}

extension ModelBuilder {
    /// The rules that the annotations of a set's entity type say, as far as they hold over its entities.
    mutating func rules(_ child: Schema.ContainerChild, _ set: EntitySet, in model: EntityModel) -> [EntityRule] {
        guard let raw = lookup.structured(child.type) else { return [] }
        let annotations = lookup.chain(raw).flatMap { lookup.annotations($0.annotations, of: lookup.path($0)) }
        let checker = ExpressionChecker(model: model, set: set)
        var rules: [EntityRule] = []
        for annotation in annotations {
            let name = annotation.qualifier ?? "Constraint"
            do {
                guard let rule = try ConstraintAnnotations.rule(annotation) else { continue }
                guard !(try checker.condition(rule.condition)).dependsOnUser else {
                    warn("The constraint ‘\(name)’ of ‘\(raw.name)’ is left out: it speaks of the user.")
                    continue
                }
                rules.append(rule)
            } catch {
                let reason = (error as? ODataError)?.message ?? (error as? ExpressionError)?.message ?? "\(error)"
                warn("The constraint ‘\(name)’ of ‘\(raw.name)’ is left out: \(reason)")
            }
        }
        return rules
    }
}
