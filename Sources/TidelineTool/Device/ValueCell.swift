// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineOData

/// Values and changes as output writes them.
enum ValueCell {
    /// - Parameter property: whose value it is; of a structured one it is JSON.
    static func cell(_ value: Value, of property: Property?) -> Output.Cell {
        switch value {
        case .null: .null
        case .boolean(let value): .boolean(value)
        case .integer(let value): .integer(value)
        case .double(let value): value.isFinite ? .number(DoubleText.text(value)) : .text(DoubleText.text(value))
        case .decimal: .number((value.text ?? ""))
        default: cell(value.text ?? "", isStructured: property?.structure != nil)
        }
    }

    /// - Parameter isStructured: whether the text should be JSON; what is none stays a text.
    static func cell(_ text: String, isStructured: Bool, isNumber: Bool = false) -> Output.Cell {
        if isStructured, let value = JSONValue(text) { return .structured(value) }
        return isNumber ? .number(text) : .text(text)
    }

    /// The values of a change by the names of their properties, as one JSON object.
    static func object(_ change: Change, in model: EntityModel) -> String {
        guard let set = model[set: change.set] else { return "{}" }
        let value: (Change.Assignment) -> Value = { change.operation == .delete ? $0.before : $0.after }
        return JSONText.object(
            change.assignments.map { assignment in
                let property = set.type.properties[assignment.property]
                return (property.names.wire, cell(value(assignment), of: property))
            }
        )
    }
}
