// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineOData

/// Reads a model as ``ModelCodec`` wrote it, in this version or an older one.
struct ModelDecoder {
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

    mutating func texts() -> [String] { (0..<count()).map { _ in text() } }

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
        // What objects are matters to the service alone: a device keeps the text as it is.
        switch Int64(int()) {
        case ModelCodec.holdsObject: property.structure = .complex(ComplexType.untyped.names.wire)
        case ModelCodec.holdsArray: property.structure = .collection(of: .complex(ComplexType.untyped.names.wire))
        case ModelCodec.holdsNoJSON: break
        default: hasBadWord = true
        }
        if version > 2 { readLimits(of: &property) }
        return property
    }

    /// What version 3 has of a property.
    private mutating func readLimits(of property: inout Property) {
        let type = property.type
        if case .collection? = property.structure {
            let item = optionalText()
            let isNullable = flag()
            if let item, let items = PrimitiveType(rawValue: item) {
                property.structure = .collection(of: .primitive(items), itemsNullable: isNullable)
            } else if item != nil {
                hasBadWord = true
            }
        }
        property.pattern = optionalText()
        property.minimum = optionalText().flatMap { Value(text: $0, as: type) }
        property.maximum = optionalText().flatMap { Value(text: $0, as: type) }
        property.allowedValues = texts().compactMap { Value(text: $0, as: type) }
        property.isReadOnly = flag()
        property.isImmutable = flag()
        property.isTracked = flag()
        property.formerNames = texts()
        switch Int64(int()) {
        case ModelCodec.measuresNothing: break
        case ModelCodec.measuresUnit: property.measure = .unit(text())
        case ModelCodec.measuresCurrency: property.measure = .currency(text())
        default: hasBadWord = true
        }
        property.description = optionalText()
        if version > 3 { property.conflictPolicy = optionalText().flatMap(ConflictPolicy.init(text:)) }
    }

    /// What version 3 has of a set and its type.
    private mutating func readMeaning(of set: inout EntitySet) {
        set.formerNames = texts()
        set.description = optionalText()
        set.type.description = optionalText()
        set.type.searchProperties = places()
        set.type.searchesWords = flag()
        if set.type.searchProperties.contains(where: { !set.type.properties.indices.contains($0) }) {
            hasBadWord = true
        }
        for _ in 0..<count() {
            let names = names()
            let type = word(PrimitiveType.string)
            let expression = expression()
            let calculated = CalculatedProperty(names: names, type: type, expression: expression, isCached: flag())
            set.type.calculatedProperties.append(calculated)
        }
        for _ in 0..<count() {
            let name = text()
            let condition = expression()
            let message = text()
            set.type.rules.append(
                EntityRule(name: name, condition: condition, message: message, properties: texts())
            )
        }
        if version > 3 { set.type.conflictPolicy = optionalText().flatMap(ConflictPolicy.init(text:)) }
    }

    private mutating func expression() -> Expression {
        let text = text()
        guard !isDamaged, let expression = try? ExpressionParser.parse(text) else {
            hasBadWord = true
            return .literal(.null)
        }
        return expression
    }

    private mutating func link() -> LinkTable? {
        let names = texts()
        guard names.count == 3 else {
            if !names.isEmpty { hasBadWord = true }
            return nil
        }
        return LinkTable(set: names[0], toOwner: names[1], toTarget: names[2])
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
        var navigation = NavigationProperty(
            names: names,
            targetSet: target,
            isCollection: isCollection,
            isNullable: isNullable,
            isDependent: isDependent,
            constraints: pairs,
            onDelete: rule,
            partner: optionalText()
        )
        if version > 4 { navigation.link = link() }
        return navigation
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
        var set = EntitySet(names: names, type: type, isReadOnly: isReadOnly)
        if version > 2 { readMeaning(of: &set) }
        return set
    }
}
