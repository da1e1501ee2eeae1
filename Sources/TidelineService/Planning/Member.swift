// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineOData

/// What a name means inside an entity or one of its complex properties.
enum Member: Hashable {
    /// A structural property, or a stream.
    case property(Int)
    /// A complex property over columns, by its place in ``EntityType/complexProperties``.
    case complex(Int)
    case navigation(Int)
}

extension EntityType {
    /// The member of that name, or `nil`: hidden properties do not exist.
    ///
    /// - Parameters:
    ///   - container: the complex property to look in, or `nil` for the entity itself.
    ///   - derived: the derived type that the entity is cast to.
    func member(_ name: String, in container: Int? = nil, as derived: String? = nil) -> Member? {
        let lineage = derived.map { self.lineage(of: $0) } ?? []
        for (place, property) in properties.enumerated() where property.names.wire == name {
            guard property.container == container, !property.isLocalOnly, property.structure != .dynamic,
                property.declaringType.map(lineage.contains) ?? true
            else { continue }
            return .property(place)
        }
        if let place = complexProperties.indices.first(where: {
            complexProperties[$0].names.wire == name && complexProperties[$0].parent == container
        }) {
            return .complex(place)
        }
        guard container == nil else { return nil }
        for (place, navigation) in navigationProperties.enumerated() where navigation.names.wire == name {
            if navigation.declaringType.map(lineage.contains) ?? true { return .navigation(place) }
        }
        return nil
    }

    /// The places of the properties inside a complex property, at any depth.
    func parts(of complex: Int) -> [Int] {
        properties.indices.filter { place in
            var next = properties[place].container
            while let container = next {
                if container == complex { return true }
                next = complexProperties[container].parent
            }
            return false
        }
    }

    /// The places of the properties that rows cast to a type have and others do not.
    func isKnown(_ place: Int, to derived: String?) -> Bool {
        guard let type = properties[place].declaringType else { return true }
        return derived.map { lineage(of: $0).contains(type) } ?? false
    }

    /// The wire name of a derived type by its name, qualified or not; the entity type itself as an empty one; `nil` for
    /// another.
    func cast(_ text: String, in model: EntityModel) -> String?? {
        var name = text
        if let dot = text.lastIndex(of: ".") {
            guard text[..<dot] == model.namespace else { return nil }
            name = String(text[text.index(after: dot)...])
        }
        if name == names.wire { return .some(nil) }
        return derivedTypes.contains { $0.names.wire == name } ? .some(name) : nil
    }

    /// The condition that a row is of a derived type or of one that extends it.
    func isOf(_ derived: String) -> TypedExpression {
        guard let discriminator else { return .falsehood }
        let values = derivedTypes.filter { lineage(of: $0.names.wire).contains(derived) }.compactMap(
            \.discriminatorValue
        )
        let items = values.map { TypedExpression.literal($0, properties[discriminator].type) }
        guard !items.isEmpty else { return .falsehood }
        return TypedExpression(node: .isIn(.property(discriminator, of: self), items), type: .boolean)
    }

    /// The derived type of a row, or `nil` for one of the type itself.
    func derivedType(of values: [Value]) -> String? {
        guard let discriminator else { return nil }
        return derivedTypes.first { $0.discriminatorValue == values[discriminator] }?.names.wire
    }
}
