// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// The model as it is kept in the file: packed values in a fixed order, with a version in front.
enum ModelCodec {
    /// Version 2 says which properties hold JSON text.
    private static let version: Int64 = 2

    static func encode(_ model: EntityModel) -> [UInt8] {
        let out = PackedBuffer()
        out.integer(version)
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
            for navigation in type.navigationProperties { encode(navigation, out) }
        }
        return out.bytes
    }

    /// - Throws: ``LocalStoreError/Code/corrupt`` or `newerFormat`.
    static func decode(_ bytes: [UInt8]) throws -> EntityModel {
        let model: EntityModel? = try unsafe bytes.withUnsafeBytes { raw in
            var input = Input(reader: unsafe PackedReader(raw))
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

    private static let holdsNoJSON: Int64 = 0
    private static let holdsObject: Int64 = 1
    private static let holdsArray: Int64 = 2

    private static func encode(_ names: Names, _ out: PackedBuffer) {
        out.text(names.wire)
        out.text(names.code)
        out.text(names.database)
    }

    private static func encode(_ places: [Int], _ out: PackedBuffer) {
        out.integer(Int64(places.count))
        for place in places { out.integer(Int64(place)) }
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
        if let text = property.defaultValue?.text { out.text(text) } else { out.null() }
        out.text(property.generation.rawValue)
        out.integer(property.isLocalOnly ? 1 : 0)
        out.text(property.storage.rawValue)
        switch property.structure {
        case nil: out.integer(holdsNoJSON)
        case .complex?, .dynamic?: out.integer(holdsObject)
        case .collection?: out.integer(holdsArray)
        }
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
        if let partner = navigation.partner { out.text(partner) } else { out.null() }
    }

    private struct Input {
        var reader: PackedReader
        /// The version of the codec that wrote the model.
        var version = 0
        private var hasBadWord = false

        init(reader: PackedReader) { self.reader = reader }

        var isDamaged: Bool { reader.isDamaged || hasBadWord }

        mutating func optionalInt() -> Int? {
            guard case .integer(let value) = reader.next() else { return nil }
            return Int(value)
        }

        mutating func int() -> Int { optionalInt() ?? 0 }

        /// A count; nothing in a damaged file, so that no loop runs away.
        mutating func count() -> Int {
            let count = int()
            guard !isDamaged, count >= 0, count < 100_000 else { return 0 }
            return count
        }

        mutating func flag() -> Bool { int() == 1 }

        mutating func optionalText() -> String? {
            guard case .text(let text) = reader.next() else { return nil }
            return unsafe String(decoding: text, as: UTF8.self)
        }

        mutating func text() -> String {
            guard let text = optionalText() else {
                hasBadWord = true
                return ""
            }
            return text
        }

        mutating func word<Word: RawRepresentable<String>>(_ fallback: Word) -> Word {
            guard let word = Word(rawValue: text()) else {
                hasBadWord = true
                return fallback
            }
            return word
        }

        mutating func names() -> Names {
            let wire = text()
            let code = text()
            return Names(wire: wire, code: code, database: text())
        }

        mutating func places() -> [Int] { (0..<count()).map { _ in int() } }

        mutating func property() -> Property {
            let names = names()
            let type = word(PrimitiveType.string)
            var property = Property(names: names, type: type)
            property.isNullable = flag()
            property.maxLength = optionalInt()
            property.precision = optionalInt()
            property.scale = optionalInt()
            property.defaultValue = optionalText().flatMap { Value(text: $0, as: type) }
            property.generation = word(.none)
            property.isLocalOnly = flag()
            property.storage = word(.native)
            guard version > 1 else { return property }
            // What the items are matters to the service alone: a device keeps the text as it is.
            switch Int64(int()) {
            case ModelCodec.holdsObject: property.structure = .complex("Edm.Untyped")
            case ModelCodec.holdsArray: property.structure = .collection(of: .complex("Edm.Untyped"))
            case ModelCodec.holdsNoJSON: break
            default: hasBadWord = true
            }
            return property
        }

        mutating func navigation() -> NavigationProperty {
            let names = names()
            let target = text()
            let isCollection = flag()
            let isNullable = flag()
            let isDependent = flag()
            var pairs: [NavigationProperty.Constraint] = []
            for _ in 0..<count() {
                let source = int()
                pairs.append(NavigationProperty.Constraint(source: source, target: int()))
            }
            let rule = word(NavigationProperty.DeleteRule.none)
            return NavigationProperty(
                names: names,
                targetSet: target,
                isCollection: isCollection,
                isNullable: isNullable,
                isDependent: isDependent,
                constraints: pairs,
                onDelete: rule,
                partner: optionalText()
            )
        }

        mutating func set() -> EntitySet {
            let names = names()
            let isReadOnly = flag()
            let typeNames = self.names()
            var properties: [Property] = []
            for _ in 0..<count() { properties.append(property()) }
            let key = places()
            let unique = (0..<count()).map { _ in places() }
            var navigations: [NavigationProperty] = []
            for _ in 0..<count() { navigations.append(navigation()) }
            if key.isEmpty || (key + unique.joined()).contains(where: { !properties.indices.contains($0) }) {
                hasBadWord = true
            }
            let type = EntityType(
                names: typeNames,
                properties: properties,
                key: key,
                uniqueKeys: unique,
                navigationProperties: navigations
            )
            return EntitySet(names: names, type: type, isReadOnly: isReadOnly)
        }
    }
}
