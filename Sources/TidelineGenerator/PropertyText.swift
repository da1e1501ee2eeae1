// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// The source of one property: documentation, what limits it, its declaration.
struct PropertyText {
    private let planned: GenerationPlan.PlannedProperty
    private let set: EntitySet
    private let plan: GenerationPlan

    init(_ planned: GenerationPlan.PlannedProperty, of set: EntitySet, plan: GenerationPlan) {
        self.planned = planned
        self.set = set
        self.plan = plan
    }

    private var property: Property { self.set.type.properties[planned.place] }
    private var isKey: Bool { self.set.type.key.contains(planned.place) }
    private var isCounted: Bool { isKey && self.set.type.isCounted(planned.place) && property.type.hasTemporaryKeys }
    /// Whether the service makes the value, so that a new entity has none.
    private var isMade: Bool { !isKey && property.generation != .none }

    var lines: [String] {
        var lines = SwiftNames.comment(property.description ?? note, indent: "    ")
        for attribute in attributes { lines.append("    " + attribute) }
        let isOptional = !isKey && (property.isNullable || isMade || property.isReadOnly)
        let value = isMade || property.isReadOnly ? nil : defaultValue
        lines.append(
            "    public var \(SwiftNames.escaped(planned.name)): \(type)\(isOptional ? "?" : "")"
                + (value.map { " = \($0)" } ?? "")
        )
        return lines
    }

    /// What a reader should know of a property that nobody described.
    private var note: String? {
        switch property.structure {
        case .collection?: return "\(property.names.wire), a JSON array."
        case .complex(let name)?: return "\(property.names.wire), a JSON object: \(name)."
        case .dynamic?, nil: return property.type.isSpatial ? "\(property.names.wire), an object of GeoJSON." : nil
        }
    }

    private var type: String {
        if let name = property.enumeration, let enumeration = plan.enumeration(name) { return enumeration.name }
        if property.structure != nil || property.enumeration != nil || property.type.isSpatial { return "String" }
        return switch property.type {
        case .binary: "[UInt8]"
        case .boolean: "Bool"
        case .byte: "UInt8"
        case .sbyte: "Int8"
        case .int16: "Int16"
        case .int32: "Int32"
        case .int64: "Int64"
        case .double: "Double"
        case .single: "Float"
        case .decimal: "EdmDecimal"
        case .guid: "GUID"
        case .date: "CalendarDate"
        case .timeOfDay: "TimeOfDay"
        case .dateTimeOffset: "DateTimeOffset"
        case .duration: "Duration"
        default: "String"
        }
    }

    private var attributes: [String] {
        var attributes: [String] = []
        if isKey { attributes.append(isCounted ? "@Key(generated: true)" : "@Key") }
        let plain = planned.name.prefix(1).uppercased() + planned.name.dropFirst()
        if plain != property.names.wire { attributes.append("@Name(\(SwiftNames.literal(property.names.wire)))") }
        if isMade {
            attributes.append(property.generation == .onInsert ? "@ComputedDefault" : "@Computed")
        } else if property.isReadOnly {
            attributes.append("@ReadOnly")
        }
        if property.isImmutable, !isKey { attributes.append("@Immutable") }
        if set.type.uniqueKeys.contains([planned.place]) { attributes.append("@Unique") }
        attributes += limits
        if let policy = property.conflictPolicy { attributes.append(SwiftNames.attribute(policy)) }
        if let reference = planned.reference, let target = plan.entityName(of: reference.targetSet) {
            var arguments = [SwiftNames.literal(reference.names.wire), "to: \(target).self"]
            if reference.onDelete != .none { arguments.append("onDelete: .\(reference.onDelete)") }
            if let partner = reference.partner, hasCollection(partner, in: reference.targetSet) {
                arguments.append("inverse: \(SwiftNames.literal(partner))")
            }
            attributes.append("@Reference(\(arguments.joined(separator: ", ")))")
        }
        return attributes
    }

    private func hasCollection(_ name: String, in set: String) -> Bool {
        guard let target = plan.model[set: set], let place = target.type.navigationIndex(wire: name) else {
            return false
        }
        return plan.isCollection(target.type.navigationProperties[place], of: target)
    }

    private var limits: [String] {
        guard property.structure == nil, property.enumeration == nil, !property.type.isSpatial else { return [] }
        var limits: [String] = []
        if let length = property.maxLength, [.string, .binary].contains(property.type), length > 0 {
            limits.append("@MaxLength(\(length))")
        }
        if let precision = property.precision {
            if property.type == .decimal, (1...38).contains(precision) {
                let scale = property.scale.flatMap { (0...precision).contains($0) ? ", scale: \($0)" : nil } ?? ""
                limits.append("@Precision(\(precision)\(scale))")
            } else if [.dateTimeOffset, .timeOfDay, .duration].contains(property.type) {
                limits.append("@Precision(\(precision))")
            }
        }
        if property.type.isNumeric { limits += range }
        if property.type == .string, let pattern = property.pattern, !pattern.isEmpty {
            limits.append("@Pattern(\(SwiftNames.literal(pattern)))")
        }
        let allowed = property.allowedValues.compactMap(literal)
        if !allowed.isEmpty, allowed.count == property.allowedValues.count {
            limits.append("@AllowedValues(\(allowed.joined(separator: ", ")))")
        }
        return limits
    }

    private var range: [String] {
        let least = property.minimum.flatMap(literal)
        let greatest = property.maximum.flatMap(literal)
        switch (least, greatest) {
        case (let least?, let greatest?):
            guard let low = property.minimum, let high = property.maximum,
                let order = Value.compare(low, high), order <= 0
            else { return [] }
            return ["@Range(\(least)...\(greatest))"]
        case (let least?, nil): return ["@Range(\(bracketed(least))...)"]
        case (nil, let greatest?): return ["@Range(...\(bracketed(greatest)))"]
        case (nil, nil): return []
        }
    }

    /// A sign beside the dots would be part of another operator.
    private func bracketed(_ number: String) -> String { number.hasPrefix("-") ? "(\(number))" : number }

    private var defaultValue: String? {
        guard let value = property.defaultValue, property.structure == nil else { return nil }
        if let name = property.enumeration {
            guard let enumeration = plan.enumeration(name), case .integer(let number) = value,
                let place = enumeration.type.members.firstIndex(where: { $0.value == number })
            else { return nil }
            return "." + SwiftNames.escaped(enumeration.members[place])
        }
        return literal(value)
    }

    /// A literal that is exactly the value, or `nil` where Swift has none.
    private func literal(_ value: Value) -> String? {
        switch value {
        case .boolean(let value): return "\(value)"
        case .integer(let value): return "\(value)"
        case .string(let text): return SwiftNames.literal(text)
        case .double(let number) where number.isFinite: return "\(number)"
        case .decimal(let number):
            // Literals of decimals pass through a Double, which keeps 15 digits.
            return number.text.filter(\.isNumber).count <= 15 ? number.text : nil
        default: return nil
        }
    }
}

extension PrimitiveType {
    /// Whether keys of the type have negative values to stand for those that a service is still to make.
    fileprivate var hasTemporaryKeys: Bool { [.int16, .int32, .int64].contains(self) }
}
