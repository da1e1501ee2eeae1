// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineOData

/// Values and changes as output writes them.
enum ValueCell {
    static func cell(_ value: Value) -> Output.Cell {
        switch value {
        case .null: .null
        case .boolean(let value): .boolean(value)
        case .integer(let value): .integer(value)
        case .double(let value): value.isFinite ? .number(DoubleText.text(value)) : .text(DoubleText.text(value))
        case .decimal: .number((value.text ?? ""))
        default: .text((value.text ?? ""))
        }
    }

    /// The values of a change by the names of their properties, as one JSON object.
    static func object(_ change: Change, in model: EntityModel) -> String {
        guard let set = model[set: change.set] else { return "{}" }
        let value: (Change.Assignment) -> Value = { change.operation == .delete ? $0.before : $0.after }
        return JSONText.object(
            change.assignments.map { (set.type.properties[$0.property].names.wire, cell(value($0))) }
        )
    }
}
