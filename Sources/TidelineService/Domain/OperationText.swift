// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// The complex types that out parameters make, which the file writes as out parameters again.
enum OperationText {
    /// The type of the result of an operation with out parameters.
    ///
    /// - Parameter taken: the names of types in lower case, which grow by its name.
    static func result(of operation: EdmOperation, properties: [Property], taken: inout Set<String>) -> ComplexType {
        let base = "\(operation.names.wire)Result"
        var name = base
        var number = 2
        while !taken.insert(name.lowercased()).inserted {
            name = "\(base)\(number)"
            number += 1
        }
        return ComplexType(names: Names(wire: name), properties: properties)
    }

    /// The type that an operation's out parameters made; `nil` where it returns a type of the model's own.
    static func generatedResult(of operation: EdmOperation, in model: EntityModel) -> ComplexType? {
        guard let type = operation.returnType, !type.isCollection, !type.isNullable,
            case .complex(let name) = type.element, name.hasPrefix("\(operation.names.wire)Result"),
            name.dropFirst(operation.names.wire.count + 6).allSatisfy(\.isNumber),
            let complex = model[complexType: name],
            complex == ComplexType(names: Names(wire: name), properties: complex.properties)
        else { return nil }
        let count = model.operations.filter { $0.returnType?.element == .complex(name) }.count
        let isUsed =
            model.operations.contains { $0.parameters.contains { $0.type.element == .complex(name) } }
            || model.complexTypes.contains { $0.baseType == name || $0.properties.contains { uses(name, $0) } }
            || model.sets.contains { set in
                set.type.properties.contains { uses(name, $0) }
                    || set.type.complexProperties.contains { $0.type == name }
            }
        // The number of rows stands first where out parameters are written.
        let place = complex.properties.firstIndex { $0.names.wire == operation.rowsAffectedProperty }
        let isPlain = operation.rowsAffectedProperty == nil || place == 0 && isRowCount(complex.properties[0])
        return count == 1 && !isUsed && isPlain ? complex : nil
    }

    private static func uses(_ name: String, _ property: Property) -> Bool {
        switch property.structure {
        case .complex(name)?: true
        case .collection(of: .complex(name), _)?: true
        default: false
        }
    }

    private static func isRowCount(_ property: Property) -> Bool {
        property == Property(names: Names(wire: property.names.wire), type: .int32, isNullable: false)
    }
}
