// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineOData

extension ModelReader {
    /// Reads the rules of each set, once the model has all that their conditions may look at.
    ///
    ///     rules:
    ///       - {name: Dates, condition: "EndDate ge StartDate", message: "The end comes before the start.", properties: [EndDate]}
    func readRules(into model: inout EntityModel, _ items: [YAMLField]) throws(DomainError) {
        var sets = model.sets
        for (place, item) in items.enumerated() {
            guard let list = try item.fields(Self.setKeys)["rules"] else { continue }
            for field in try list.items() {
                let rule = try rule(field, of: sets[place], in: model)
                guard !sets[place].type.rules.contains(where: { $0.name == rule.name }) else {
                    throw field.error(.name, "\(sets[place].names.wire) has two rules named \(rule.name).")
                }
                sets[place].type.rules.append(rule)
            }
        }
        model = model.replacing(sets: sets)
    }

    private func rule(
        _ field: YAMLField,
        of set: EntitySet,
        in model: EntityModel
    ) throws(DomainError) -> EntityRule {
        let fields = try field.fields(["name", "condition", "message", "properties"])
        let name = try name(try fields.required("name", of: field))
        let condition = try fields.required("condition", of: field)
        let text = try condition.string()
        let message = try fields.required("message", of: field).string()
        var rule = EntityRule(name: name, condition: .literal(.null), message: message)
        do throws(ODataError) {
            rule.condition = try ExpressionParser.parse(text)
            _ = try RuleSet.condition(rule, over: set, in: model)
        } catch {
            throw condition.error(.value, "The rule \(name) of \(set.names.wire) cannot be used: \(error.message)")
        }
        if let list = fields["properties"] {
            rule.properties = try places(list, in: set.type, of: set.names.wire).map { set.type.wirePath(of: $0) }
        }
        return rule
    }
}
