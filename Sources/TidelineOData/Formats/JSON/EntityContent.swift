// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

package import TidelineModel

/// Writes the values of entities into the bodies of requests.
package enum EntityContent {
    /// The JSON object of some properties of a type.
    package static func object(_ values: [(place: Int, value: Value)], of type: EntityType) -> [UInt8] {
        let output = ByteWriter()
        output.append("{")
        for (turn, assignment) in values.enumerated() {
            if turn > 0 { output.append(",") }
            let property = type.properties[assignment.place]
            output.appendQuoted(property.names.wire)
            output.append(":")
            append(assignment.value, of: property, to: output)
        }
        output.append("}")
        return output.bytes
    }

    /// Writes one value; a structured one is JSON text already.
    package static func append(_ value: Value, of property: Property, to output: ByteWriter) {
        guard let structure = property.structure else {
            return output.append(value: value, type: property.type, format: JSONFormat(version: .v401))
        }
        switch (value, structure) {
        case (.string(let text), _): output.append(text: text)
        // A collection without a value is an empty one, and never null.
        case (_, .collection): output.append("[]")
        default: output.append("null")
        }
    }
}
