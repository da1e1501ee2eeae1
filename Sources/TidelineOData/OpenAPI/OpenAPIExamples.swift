// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Examples of entities that fit their schemas.
enum OpenAPIExamples {
    /// An entity with a value for each plain property, or `nil` where none is sure to fit.
    static func example(of type: EntityType) -> JSONTree? {
        var members: [(String, JSONTree)] = []
        for property in type.properties where property.container == nil && property.declaringType == nil {
            guard
                property.structure == nil, property.stream == nil, property.enumeration == nil, !property.isLocalOnly,
                let value = value(of: property)
            else { continue }
            members.append((property.names.wire, value))
        }
        return members.isEmpty ? nil : .object(members)
    }

    private static func value(of property: Property) -> JSONTree? {
        if let text = property.allowedValues.first?.text {
            return property.type == .string ? .text(text) : JSONTree.numeral(text)
        }
        switch property.type {
        case .boolean: return .flag(true)
        case .byte, .sbyte, .int16, .int32, .int64, .decimal, .double, .single:
            return (property.minimum ?? property.maximum)?.text.flatMap(JSONTree.numeral) ?? .integer(1)
        case .string:
            guard property.pattern == nil else { return nil }
            return .text(String("Example".prefix(property.maxLength ?? 7)))
        case .guid: return .text("3f2504e0-4f89-41d3-9a0c-0305e82c3301")
        case .date: return .text("2026-11-21")
        case .dateTimeOffset: return .text("2026-11-21T13:31:00Z")
        case .timeOfDay: return .text("13:31:00")
        case .duration: return .text("PT1H30M")
        case .binary: return .text("")
        default: return nil
        }
    }
}
