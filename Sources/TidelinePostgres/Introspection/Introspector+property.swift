// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

extension Introspector {
    /// A property by its column and the type that was chosen for it.
    mutating func property(
        _ column: TableShape.Column,
        _ choice: TypeChoice,
        shape: TableShape,
        isKey: Bool,
        names: inout WireNames
    ) -> Property {
        let wire = names.unique(column.name)
        var property = Property(
            names: Names(wire: wire, code: WireNames.code(wire, capital: false), database: column.name),
            type: choice.type,
            isNullable: !isKey && !column.isNotNull,
            maxLength: choice.maxLength,
            precision: choice.precision,
            scale: choice.scale,
            storage: choice.storage
        )
        property.structure = choice.structure
        property.description = column.description
        if choice.storage == .memberName { property.enumeration = enumerations.type(column.type.identifier) }
        if choice.storage == .native, column.type.kind == .enumeration {
            property.allowedValues = (enumerations.labels(column.type.identifier) ?? []).map(Value.string)
        }
        if column.isGenerated || column.isAlwaysIdentity && !isKey {
            property.generation = .always
        } else if column.isIdentity {
            property.generation = .onInsert
        } else if let text = column.defaultText, !shape.isView {
            switch DefaultText(text) {
            case .null: break
            case .value(let text): property.defaultValue = value(text, of: property)
            case .sequence: property.generation = .onInsert
            case .computed: if !isKey || choice.type.integerRange == nil { property.generation = .onInsert }
            }
        }
        return property
    }

    /// A default as a value of the property, or `nil` when it does not fit.
    private func value(_ text: String, of property: Property) -> Value? {
        guard property.structure == nil else { return nil }
        if let name = property.enumeration {
            let type = enumerations.types.first { $0.names.wire == name }
            return type?.value(of: text).map(Value.integer)
        }
        switch property.type {
        case .boolean: return ["t", "true"].contains(text) ? .boolean(true) : .boolean(false)
        case .binary:
            return text.hasPrefix("\\x") ? .binary(Capture.bytes(String(text.dropFirst(2)))) : nil
        case .date, .dateTimeOffset: return property.value(of: .text(text))
        default: return Value(text: text, as: property.type)
        }
    }
}
