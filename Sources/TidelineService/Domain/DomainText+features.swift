// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineOData

extension DomainText {
    /// The description, enumerations and complex types of a model, before its sets.
    static func lines(describing model: EntityModel) -> String {
        var text = model.description.map { "description: \(quote($0))\n" } ?? ""
        if !model.enumerations.isEmpty { text += "enumerations:\n" }
        for type in model.enumerations {
            text += "  - name: \(quote(type.names.wire))\n" + nameLines(type.names)
            if type.underlyingType != .int32 { text += "    type: \(type.underlyingType.rawValue.dropFirst(4))\n" }
            if type.isFlags { text += "    flags: true\n" }
            if let description = type.description { text += "    description: \(quote(description))\n" }
            text += "    members:\n"
            for member in type.members {
                var pairs = ["name: \(quote(member.name))", "value: \(member.value)"]
                if let description = member.description { pairs.append("description: \(quote(description))") }
                text += "      - {\(pairs.joined(separator: ", "))}\n"
            }
        }
        let generated = Set(
            model.operations.compactMap { OperationText.generatedResult(of: $0, in: model)?.names.wire }
        )
        let types = model.complexTypes.filter { !generated.contains($0.names.wire) }
        if !types.isEmpty { text += "complexTypes:\n" }
        for type in types {
            text += "  - name: \(quote(type.names.wire))\n" + nameLines(type.names)
            if let base = type.baseType { text += "    base: \(quote(base))\n" }
            if type.isAbstract { text += "    abstract: true\n" }
            if type.isOpen { text += "    open: true\n" }
            if let description = type.description { text += "    description: \(quote(description))\n" }
            text += type.properties.isEmpty ? "    properties: []\n" : "    properties:\n"
            for property in type.properties { text += "      - {\(pairs(property, of: nil))}\n" }
        }
        return text
    }

    private static func nameLines(_ names: Names) -> String {
        var text = names.code != names.wire ? "    code: \(quote(names.code))\n" : ""
        if names.database != names.wire { text += "    database: \(quote(names.database))\n" }
        return text
    }

    /// The singletons of a model, after its sets.
    static func singletonLines(_ model: EntityModel) -> String {
        var text = model.singletons.isEmpty ? "" : "singletons:\n"
        for singleton in model.singletons {
            var pairs = ["name: \(quote(singleton.names.wire))"]
            if singleton.names.code != singleton.names.wire { pairs.append("code: \(quote(singleton.names.code))") }
            pairs.append("set: \(quote(singleton.set))")
            if let key = singleton.key {
                let values = key.values.map { quote($0.text ?? "", isValue: true) }
                pairs.append("key: [\(values.joined(separator: ", "))]")
            }
            if singleton.isNullable { pairs.append("nullable: true") }
            if let description = singleton.description { pairs.append("description: \(quote(description))") }
            text += "  - {\(pairs.joined(separator: ", "))}\n"
        }
        return text
    }

    /// What a set says of its type before the key and the properties.
    static func lines(beforeKeyOf set: EntitySet) -> String {
        let type = set.type
        func path(_ place: Int) -> String { quote(type.wirePath(of: place)) }
        var text = ""
        if let description = set.description ?? type.description { text += "    description: \(quote(description))\n" }
        if set.isContained { text += "    contained: true\n" }
        if let policy = type.conflictPolicy { text += "    conflict: \(quote(policy.text))\n" }
        if let place = type.version { text += "    version: \(path(place))\n" }
        if let place = type.mediaProperty { text += "    media: \(path(place))\n" }
        if !type.searchProperties.isEmpty {
            let list = "[\(type.searchProperties.map(path).joined(separator: ", "))]"
            text += "    search: \(type.searchesWords ? "{properties: \(list), fullText: true}" : list)\n"
        }
        if !set.aggregates.isEmpty {
            let list = set.aggregates.map {
                quote(String(Transformation.aggregate([$0]).text.dropFirst(10).dropLast()))
            }
            text += "    aggregates: [\(list.joined(separator: ", "))]\n"
        }
        text += inheritanceLines(type)
        if !type.complexProperties.isEmpty { text += "    complex:\n" }
        for property in type.complexProperties {
            var pairs = ["name: \(quote(property.names.wire))", "type: \(quote(property.type))"]
            if let parent = property.parent { pairs.append("in: \(quote(type.wirePath(ofComplex: parent)))") }
            if !property.isNullable { pairs.append("nullable: false") }
            if let description = property.description { pairs.append("description: \(quote(description))") }
            text += "      - {\(pairs.joined(separator: ", "))}\n"
        }
        return text
    }

    private static func inheritanceLines(_ type: EntityType) -> String {
        guard let place = type.discriminator else { return "" }
        func text(_ value: Value) -> String { quote(value.text ?? "", isValue: true) }
        var lines = type.isAbstract ? "    abstract: true\n" : ""
        lines += "    discriminator: \(quote(type.wirePath(of: place)))\n"
        if let value = type.discriminatorValue { lines += "    discriminatorValue: \(text(value))\n" }
        lines += "    derived:\n"
        for derived in type.derivedTypes {
            var pairs = ["name: \(quote(derived.names.wire))"]
            if let base = derived.baseType { pairs.append("base: \(quote(base))") }
            if let value = derived.discriminatorValue { pairs.append("value: \(text(value))") }
            if derived.isAbstract { pairs.append("abstract: true") }
            if let description = derived.description { pairs.append("description: \(quote(description))") }
            lines += "      - {\(pairs.joined(separator: ", "))}\n"
        }
        return lines
    }

    /// The pairs of a property beside its column and primitive type.
    static func features(_ property: Property, of type: EntityType?) -> [String] {
        var pairs: [String] = []
        if let name = property.enumeration { pairs.append("enum: \(quote(name))") }
        switch property.structure {
        case .complex(let name)?: pairs.append("complex: \(quote(name))")
        case .collection(of: let element, itemsNullable: let nullable)?:
            let name =
                switch element {
                case .primitive(let type): String(type.rawValue.dropFirst(4))
                case .enumeration(let name), .complex(let name): name
                }
            pairs.append("collection: \(quote(name))")
            if nullable { pairs.append("nullItems: true") }
            if let items = property.items { pairs.append("table: {\(self.pairs(items))}") }
        case .dynamic?: pairs.append("dynamic: true")
        case nil: break
        }
        if let place = property.container, let type { pairs.append("in: \(quote(type.wirePath(ofComplex: place)))") }
        if let name = property.declaringType { pairs.append("of: \(quote(name))") }
        if let stream = property.stream { pairs.append("stream: {\(self.pairs(stream, of: type))}") }
        if property.isImmutable { pairs.append("immutable: true") }
        if property.isReadOnly { pairs.append("readOnly: true") }
        if let srid = property.srid { pairs.append("srid: \(srid)") }
        if let numbers = property.coordinates {
            pairs.append("coordinates: [\(quote(numbers.latitude)), \(quote(numbers.longitude))]")
        }
        if let pattern = property.pattern { pairs.append("pattern: \(quote(pattern))") }
        if let text = property.minimum?.text { pairs.append("min: \(quote(text, isValue: true))") }
        if let text = property.maximum?.text { pairs.append("max: \(quote(text, isValue: true))") }
        if !property.allowedValues.isEmpty {
            let values = property.allowedValues.map { quote($0.text ?? "", isValue: true) }
            pairs.append("allowed: [\(values.joined(separator: ", "))]")
        }
        switch property.measure {
        case .unit(let unit)?: pairs.append("unit: \(quote(unit))")
        case .currency(let code)?: pairs.append("currency: \(quote(code))")
        case nil: break
        }
        if let policy = property.conflictPolicy { pairs.append("conflict: \(quote(policy.text))") }
        if let text = property.description { pairs.append("description: \(quote(text))") }
        return pairs
    }

    private static func pairs(_ items: ItemTable) -> String {
        var pairs = [
            "name: \(quote(items.name))", "key: [\(items.key.map { quote($0) }.joined(separator: ", "))]",
        ]
        func storage(_ value: Property) -> String {
            value.storage == .native ? "" : ", storage: \(value.storage.rawValue)"
        }
        if items.isComplex {
            let values = items.values.map {
                "{name: \(quote($0.names.wire)), column: \(quote($0.names.database))\(storage($0))}"
            }
            pairs.append("values: [\(values.joined(separator: ", "))]")
        } else if let value = items.values.first {
            let column = quote(value.names.database)
            pairs.append("value: \(value.storage == .native ? column : "{column: \(column)\(storage(value))}")")
        }
        if let order = items.order { pairs.append("order: \(quote(order))") }
        return pairs.joined(separator: ", ")
    }

    private static func pairs(_ stream: MediaStream, of type: EntityType?) -> String {
        var pairs: [String] = []
        if stream.contentType != MediaStream().contentType { pairs.append("type: \(quote(stream.contentType))") }
        if let place = stream.contentTypeProperty, let type {
            pairs.append("typeProperty: \(quote(type.wirePath(of: place)))")
        }
        if stream.isFile { pairs.append("file: true") }
        return pairs.joined(separator: ", ")
    }
}
