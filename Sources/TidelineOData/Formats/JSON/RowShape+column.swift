// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

extension RowShape {
    /// One structural property of a row.
    public struct Column: Hashable, Sendable {
        /// What the pushed value stands for.
        public enum Form: Hashable, Sendable {
            case primitive
            /// A number that names members.
            case enumeration(EnumerationType)
            /// JSON text, written as it is.
            case json
            /// JSON text of an array; where it is null, the array is empty.
            case jsonArray
            /// JSON text of an object whose members are the row's dynamic properties.
            case dynamic
            /// Well-known text, written as GeoJSON.
            case spatial
        }

        public var name: String
        public var type: PrimitiveType
        public var isNullable: Bool
        /// What the value stands for.
        public var form = Form.primitive
        /// The place in ``RowShape/complexes`` of the complex property that it is a part of.
        public var container: Int?
        /// The wire name of the derived type whose rows alone have it.
        public var declaringType: String?
        /// The place in the key.
        public var keyPlace: Int?
        /// Whether it is pushed, but not written.
        public var isHidden = false
        /// The place in ``JSONEntityWriter/transforms`` of what is done with its JSON row by row.
        public var transform: Int?
        /// Of a column with dynamic properties those that are written, each by its name and the one that it gets; all
        /// where it is `nil`.
        public var members: [String: String]?
        /// Whether the metadata does not name it, so that each answer has to tell its type.
        public var isUndeclared = false
        /// The name of its type where that is not the primitive type.
        public var typeName: String?
        /// What the value is where none is given, if that is not null.
        public var defaultValue: Value?

        public init(name: String, type: PrimitiveType, isNullable: Bool = true) {
            self.name = name
            self.type = type
            self.isNullable = isNullable
        }

        /// The column of a property.
        public init(_ property: Property) {
            self.init(name: property.names.wire, type: property.type, isNullable: property.isNullable)
            if property.type.isSpatial { form = .spatial }
            if property.structure == nil, property.defaultValue?.isNull == false {
                defaultValue = property.defaultValue
            }
            switch property.structure {
            case nil: break
            case .dynamic?: form = .dynamic
            case .collection?: form = .jsonArray
            case .complex?: form = .json
            }
        }

        /// The column of the property at a place.
        init(_ place: Int, of type: EntityType, in model: EntityModel?) {
            let property = type.properties[place]
            self.init(property)
            keyPlace = type.key.firstIndex(of: place)
            guard let model else { return }
            container = property.container
            declaringType = property.declaringType
            if let name = property.enumeration {
                typeName = "\(model.namespace).\(name)"
                if let enumeration = model[enumeration: name] { form = .enumeration(enumeration) }
            }
            typeName = property.structure?.typeName(in: model) ?? typeName
        }

        /// The type as full metadata names it, without the hash sign; `nil` where it goes without saying.
        ///
        /// Source: OData JSON Format 4.01, section 4.6.3.
        private var controlType: String? {
            if let typeName { return typeName }
            switch type {
            case .string, .boolean, .double: return nil
            default: return String(type.rawValue.dropFirst(4))
            }
        }

        /// The type that an answer tells beside the value: with full metadata, and wherever the metadata does not tell it.
        func toldType(_ metadata: JSONFormat.Metadata) -> String? {
            metadata == .full || metadata == .minimal && isUndeclared ? controlType : nil
        }
    }
}

extension EntityType {
    /// The places of the properties that answers hold in line: those of the device alone and streams are not.
    public var wireProperties: [Int] {
        properties.indices.filter { !properties[$0].isLocalOnly && properties[$0].stream == nil }
    }

    /// The path of a property: `Address/City`, the names of its complex properties before its own.
    public func path(of place: Int) -> String {
        var names = [properties[place].names.wire]
        var container = properties[place].container
        while let next = container {
            names.append(complexProperties[next].names.wire)
            container = complexProperties[next].parent
        }
        return names.reversed().joined(separator: "/")
    }

    /// The wire names of a derived type and of the derived types that it extends.
    public func lineage(of name: String) -> Set<String> {
        var names: Set<String> = []
        var next: String? = name
        while let current = next, names.insert(current).inserted {
            next = derivedTypes.first { $0.names.wire == current }?.baseType
        }
        return names
    }
}

extension Structure {
    /// The type of the property on the wire, qualified; `nil` for the dynamic properties, which have none of their own.
    func typeName(in model: EntityModel) -> String? {
        switch self {
        case .dynamic: nil
        case .complex(let name): "\(model.namespace).\(name)"
        case .collection(.primitive(let type), _): "Collection(\(type.rawValue.dropFirst(4)))"
        case .collection(.enumeration(let name), _), .collection(.complex(let name), _):
            "Collection(\(model.namespace).\(name))"
        }
    }
}
