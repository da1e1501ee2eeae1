// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineOData

/// What breaks a rule of a property or of an entity type, told all at once.
///
///     {"error": {"code": "InvalidValue", "message": first, "target": "Name", "details": [
///         {"code": "MaxLength", "message": …, "target": "Name"}, {"code": "Pattern", …, "target": "Code"}]}}
///
/// A detail has the name of the rule as its code.
/// Source: OData JSON Format 4.01, section 21.1.
struct RuleFailures {
    private var details: [ODataError.Detail] = []
    private var code = ""

    var isEmpty: Bool { details.isEmpty }

    /// Notes what a value breaks.
    mutating func check(_ value: Value, _ place: Int, of type: EntityType) {
        // By place: a property is copied with all that it holds.
        let properties = type.properties
        guard properties[place].structure == nil, properties[place].stream?.isFile != true else {
            // A collection without a value is an empty one.
            if case .collection? = properties[place].structure { return }
            if value.isNull, !properties[place].isNullable { add([place], of: type) }
            return
        }
        if value.isNull {
            if !properties[place].isNullable { add([place], of: type) }
            return
        }
        for broken in properties[place].violations(of: value) {
            add(broken.rule, broken.message, type.wirePath(of: place), code: ODataError.Code.invalidValue.rawValue)
        }
    }

    /// Notes properties that lack a value.
    mutating func add(_ missing: [Int], of type: EntityType) {
        for place in missing {
            let name = type.wirePath(of: place)
            add("Nullable", "\(name) must have a value.", name, code: ServiceCode.requiredValue)
        }
    }

    /// Notes a rule of an entity type that a row breaks.
    mutating func add(_ rule: EntityRule) {
        add(rule.name, rule.message, rule.properties.first, code: ServiceCode.brokenRule)
    }

    private mutating func add(_ rule: String, _ message: String, _ target: String?, code: String) {
        if details.isEmpty { self.code = code }
        details.append(ODataError.Detail(code: rule, message: message, target: target))
    }

    /// - Throws: `InvalidValue`, `RequiredValue` or `BrokenRule`, by what was noticed first, when there is something.
    func raise() throws(ODataError) {
        guard let first = details.first else { return }
        throw ODataError(code: code, message: first.message, target: first.target, details: details)
    }
}
