// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineOData

/// The model as it is kept in the file: packed values in a fixed order, with a version in front.
enum ModelCodec {
    /// Version 2 says which properties hold JSON text; version 3 has limits, rules, what is calculated, and descriptions;
    /// version 4 has conflict policies; version 5 has link tables, and is written where there are any, so that other files
    /// are those of the releases before.
    private static let version: Int64 = 5

    static func encode(_ model: EntityModel) -> [UInt8] {
        let out = PackedBuffer()
        let hasLinks = model.sets.contains { $0.type.navigationProperties.contains { $0.link != nil } }
        out.integer(hasLinks ? version : version - 1)
        out.text(model.namespace)
        out.text(model.container)
        out.integer(Int64(model.sets.count))
        for set in model.sets {
            encode(set.names, out)
            out.integer(set.isReadOnly ? 1 : 0)
            let type = set.type
            encode(type.names, out)
            out.integer(Int64(type.properties.count))
            for property in type.properties { encode(property, out) }
            encode(type.key, out)
            out.integer(Int64(type.uniqueKeys.count))
            for unique in type.uniqueKeys { encode(unique, out) }
            out.integer(Int64(type.navigationProperties.count))
            for navigation in type.navigationProperties {
                encode(navigation, out)
                if hasLinks { encode(navigation.link.map { [$0.set, $0.toOwner, $0.toTarget] } ?? [], out) }
            }
            encodeMeaning(of: set, out)
        }
        return out.bytes
    }

    /// - Throws: ``LocalStoreError/Code/corrupt`` or `newerFormat`.
    static func decode(_ bytes: [UInt8]) throws -> EntityModel {
        let model: EntityModel? = try unsafe bytes.withUnsafeBytes { raw in
            var input = ModelDecoder(reader: unsafe PackedReader(raw))
            input.version = input.int()
            guard (1...Int(version)).contains(input.version) else {
                throw LocalStoreError(
                    .newerFormat,
                    message: "A newer release of Tideline wrote the model of this file."
                )
            }
            let namespace = input.text()
            let container = input.text()
            var sets: [EntitySet] = []
            for _ in 0..<input.count() { sets.append(input.set()) }
            guard !input.isDamaged else { return nil }
            return EntityModel(namespace: namespace, container: container, sets: sets)
        }
        guard let model else { throw LocalStoreError(.corrupt, message: "The model in the file is damaged.") }
        return model
    }

    static let holdsNoJSON: Int64 = 0
    static let holdsObject: Int64 = 1
    static let holdsArray: Int64 = 2
    static let measuresNothing: Int64 = 0
    static let measuresUnit: Int64 = 1
    static let measuresCurrency: Int64 = 2

    private static func encode(_ names: Names, _ out: PackedBuffer) {
        out.text(names.wire)
        out.text(names.code)
        out.text(names.database)
    }

    private static func encode(_ places: [Int], _ out: PackedBuffer) {
        out.integer(Int64(places.count))
        for place in places { out.integer(Int64(place)) }
    }

    private static func encode(_ texts: [String], _ out: PackedBuffer) {
        out.integer(Int64(texts.count))
        for text in texts { out.text(text) }
    }

    private static func encode(_ text: String?, _ out: PackedBuffer) {
        if let text { out.text(text) } else { out.null() }
    }

    private static func encode(_ number: Int?, _ out: PackedBuffer) {
        if let number { out.integer(Int64(number)) } else { out.null() }
    }

    private static func encode(_ property: Property, _ out: PackedBuffer) {
        encode(property.names, out)
        out.text(property.type.rawValue)
        out.integer(property.isNullable ? 1 : 0)
        encode(property.maxLength, out)
        encode(property.precision, out)
        encode(property.scale, out)
        encode(property.defaultValue?.text, out)
        out.text(property.generation.rawValue)
        out.integer(property.isLocalOnly ? 1 : 0)
        out.text(property.storage.rawValue)
        switch property.structure {
        case nil: out.integer(holdsNoJSON)
        case .complex?, .dynamic?: out.integer(holdsObject)
        case .collection?: out.integer(holdsArray)
        }
        encodeLimits(of: property, out)
    }

    /// The type of a collection's items; `nil` for objects, whose text a device keeps as it is.
    private static func itemType(_ element: Structure.Element) -> String? {
        switch element {
        case .primitive(let type): type.rawValue
        // Members stand by their names.
        case .enumeration: PrimitiveType.string.rawValue
        case .complex: nil
        }
    }

    /// What version 3 has of a property, and version 4.
    private static func encodeLimits(of property: Property, _ out: PackedBuffer) {
        if case .collection(let element, let isNullable)? = property.structure {
            encode(itemType(element), out)
            out.integer(isNullable ? 1 : 0)
        }
        encode(property.pattern, out)
        encode(property.minimum?.text, out)
        encode(property.maximum?.text, out)
        encode(property.allowedValues.compactMap(\.text), out)
        out.integer(property.isReadOnly ? 1 : 0)
        out.integer(property.isImmutable ? 1 : 0)
        out.integer(property.isTracked ? 1 : 0)
        encode(property.formerNames, out)
        switch property.measure {
        case nil: out.integer(measuresNothing)
        case .unit(let unit)?:
            out.integer(measuresUnit)
            out.text(unit)
        case .currency(let currency)?:
            out.integer(measuresCurrency)
            out.text(currency)
        }
        encode(property.description, out)
        encode(property.conflictPolicy?.text, out)
    }

    /// What version 3 has of a set and its type, and version 4.
    ///
    /// Expressions stand as the text of OData.
    private static func encodeMeaning(of set: EntitySet, _ out: PackedBuffer) {
        encode(set.formerNames, out)
        encode(set.description, out)
        encode(set.type.description, out)
        encode(set.type.searchProperties, out)
        out.integer(set.type.searchesWords ? 1 : 0)
        out.integer(Int64(set.type.calculatedProperties.count))
        for calculated in set.type.calculatedProperties {
            encode(calculated.names, out)
            out.text(calculated.type.rawValue)
            out.text(ExpressionPrinter.print(calculated.expression))
            out.integer(calculated.isCached ? 1 : 0)
        }
        out.integer(Int64(set.type.rules.count))
        for rule in set.type.rules {
            out.text(rule.name)
            out.text(ExpressionPrinter.print(rule.condition))
            out.text(rule.message)
            encode(rule.properties, out)
        }
        encode(set.type.conflictPolicy?.text, out)
    }

    private static func encode(_ navigation: NavigationProperty, _ out: PackedBuffer) {
        encode(navigation.names, out)
        out.text(navigation.targetSet)
        out.integer(navigation.isCollection ? 1 : 0)
        out.integer(navigation.isNullable ? 1 : 0)
        out.integer(navigation.isDependent ? 1 : 0)
        out.integer(Int64(navigation.constraints.count))
        for pair in navigation.constraints {
            out.integer(Int64(pair.source))
            out.integer(Int64(pair.target))
        }
        out.text(navigation.onDelete.rawValue)
        encode(navigation.partner, out)
    }
}
