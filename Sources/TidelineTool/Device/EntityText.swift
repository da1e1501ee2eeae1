// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineOData

/// Values of an entity as JSON of the command line, typed by the model.
enum EntityText {
    /// The JSON of an argument: the argument itself, or all of standard input for `-`.
    static func argument(_ text: String) -> String {
        guard text == "-" else { return text }
        var input = ""
        while let line = readLine(strippingNewline: false) { input += line }
        return input
    }

    /// The values by the wire names of their properties; `"Client@odata.bind": "Clients(5)"` sets the foreign key.
    ///
    /// - Parameter before: the values that there are: of an object those members stay that are not named, as in PATCH.
    static func parse(
        _ text: String,
        of set: EntitySet,
        model: EntityModel,
        over before: [String: Value] = [:]
    ) throws -> [String: Value] {
        let body: EntityBody
        do {
            body = try EntityBodyReader(type: set.type, model: model).read(Array(text.utf8))
        } catch {
            throw CommandFailure(
                "The JSON does not fit \(set.names.wire).",
                why: error.message,
                next:
                    "Its properties: \(set.type.properties.map { "\($0.names.wire) (\($0.type.rawValue.dropFirst(4)))" }.joined(separator: ", "))."
            )
        }
        if let nested = body.nested.first { throw elsewhere(set.type.navigationProperties[nested.navigation]) }
        var values: [String: Value] = [:]
        for assignment in body.assignments {
            let name = set.type.properties[assignment.property].names.wire
            values[name] = assignment.value
            if assignment.merges, case .string(let old) = before[name], case .string(let new) = assignment.value {
                values[name] = .string(StructuredText.merged(old, with: new) ?? new)
            }
        }
        for bind in body.binds {
            let navigation = set.type.navigationProperties[bind.navigation]
            guard navigation.isDependent, let target = model[set: navigation.targetSet], bind.references.count == 1
            else { throw elsewhere(navigation) }
            let key = try key(bind.references[0], of: target)
            for constraint in navigation.constraints {
                guard let place = target.type.key.firstIndex(of: constraint.target) else { continue }
                values[set.type.properties[constraint.source].names.wire] = key.values[place]
            }
        }
        return values
    }

    /// One command writes one entity: others are never left out in silence.
    private static func elsewhere(_ navigation: NavigationProperty) -> CommandFailure {
        let set = navigation.link?.set ?? navigation.targetSet
        return CommandFailure(
            "\(navigation.names.wire) cannot be set here.",
            next: navigation.isDependent
                ? "Insert into \(set) first, then name the entity by its key."
                : "Insert into \(set), or change or delete what is there."
        )
    }

    private static func key(_ reference: String, of target: EntitySet) throws -> Key {
        let name = target.names.wire
        guard reference.hasPrefix(name + "("), reference.hasSuffix(")") else {
            throw CommandFailure("\(reference) does not lead to \(name).", next: "Write it as \(name)(key).")
        }
        return try KeyText.parse(String(reference.dropFirst(name.count)), of: target)
    }
}
