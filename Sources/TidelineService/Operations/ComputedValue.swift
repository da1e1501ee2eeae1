// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

/// What an operation gave that is no entity.
struct ComputedValue {
    enum Form {
        /// One value; where the property is complex, the JSON text of its object.
        case value(Property, Value)
        /// The items of a collection, each as the property says.
        case values(Property, [Value])
        /// A complex value: its properties and their values.
        case object([Property], [Value])
        case objects([Property], [[Value]])
    }

    var form: Form
    /// The qualified name of the type, `Edm.Int32` or `Shop.Status`, of one item where there are several.
    var type: String

    /// The fragment of the context URL.
    ///
    /// Source: OData Protocol 4.01, sections 10.14 to 10.16.
    var fragment: String {
        switch form {
        case .value(let property, _):
            if case .collection? = property.structure { return "Collection(\(type))" }
            return type
        case .object: return type
        case .values, .objects: return "Collection(\(type))"
        }
    }

    init(_ form: Form, type: String) {
        self.form = form
        self.type = type
    }

    /// The result of an operation whose type is no entity's.
    init?(_ result: OperationResult, of type: OperationType, in model: EntityModel) {
        let columns = model.resultColumns(of: type)
        let name = Self.qualified(type.element, in: model)
        switch type.element {
        case .entity: return nil
        case .complex(let complex):
            if type.isCollection {
                self.init(.objects(columns, result.rows), type: name)
            } else if let row = result.rows.first, row.count == columns.count {
                self.init(.object(columns, row), type: name)
            } else {
                var property = Property(names: Names(wire: "value"), type: .string)
                property.structure = .complex(complex)
                self.init(.value(property, .null), type: name)
            }
        case .primitive, .enumeration:
            guard let column = columns.first else { return nil }
            if type.isCollection {
                self.init(.values(column, result.rows.map { $0.first ?? .null }), type: name)
            } else {
                self.init(.value(column, result.rows.first?.first ?? .null), type: name)
            }
        }
    }

    /// The value of a property.
    init(_ property: Property, _ value: Value, in model: EntityModel) {
        self.init(.value(property, value), type: Self.type(of: property, in: model))
    }

    /// A property of a complex value; `nil` where there is none of that name.
    func member(_ name: String, in model: EntityModel) -> ComputedValue? {
        if case .value(let owner, .string(let text)) = form, case .complex(let type)? = owner.structure {
            guard let property = model.properties(ofComplex: type).last(where: { $0.names.wire == name }),
                let json = JSONValue(text)
            else { return nil }
            return ComputedValue(property, json.member([name]).value(of: property, in: model), in: model)
        }
        guard case .object(let properties, let values) = form,
            let place = properties.firstIndex(where: { $0.names.wire == name })
        else { return nil }
        let property = properties[place]
        return ComputedValue(.value(property, values[place]), type: Self.type(of: property, in: model))
    }

    /// The item of a collection at a place, from the end where negative; `nil` where there is none.
    ///
    /// Source: OData URL Conventions 4.01, section 4.12.
    func item(at place: Int, in model: EntityModel) -> ComputedValue? {
        func item<Item>(_ items: [Item]) -> Item? {
            let index = place < 0 ? items.count + place : place
            return items.indices.contains(index) ? items[index] : nil
        }
        switch form {
        case .values(let property, let items):
            return item(items).map { ComputedValue(.value(property, $0), type: type) }
        case .objects(let properties, let rows):
            return item(rows).map { ComputedValue(.object(properties, $0), type: type) }
        case .value(let owner, .string(let text)):
            guard case .collection(let element, _)? = owner.structure,
                let json = JSONValue(text).flatMap({ item($0.items) })
            else { return nil }
            var property = owner
            property.structure = nil
            switch element {
            case .primitive(let primitive): property.type = primitive
            case .enumeration(let name):
                property.enumeration = name
                property.type = model[enumeration: name]?.underlyingType ?? .int32
            case .complex(let name): property.structure = .complex(name)
            }
            return ComputedValue(property, json.value(of: property, in: model), in: model)
        case .value, .object: return nil
        }
    }

    /// How many items a collection has; `nil` for a single value.
    var count: Int? {
        switch form {
        case .values(_, let items): return items.count
        case .objects(_, let rows): return rows.count
        case .value(let property, let value):
            guard case .collection? = property.structure else { return nil }
            guard case .string(let text) = value else { return 0 }
            return JSONValue(text)?.items.count
        case .object: return nil
        }
    }

    private static func type(of property: Property, in model: EntityModel) -> String {
        switch property.structure {
        case .complex(let name)?, .collection(.complex(let name), _)?, .collection(.enumeration(let name), _)?:
            "\(model.namespace).\(name)"
        case .collection(.primitive(let type), _)?: type.rawValue
        case .dynamic?, nil: property.enumeration.map { "\(model.namespace).\($0)" } ?? property.type.rawValue
        }
    }

    private static func qualified(_ element: OperationType.Element, in model: EntityModel) -> String {
        if case .primitive(let type) = element { return type.rawValue }
        return "\(model.namespace).\(model.typeName(of: element))"
    }
}

extension JSONValue {
    /// The value in the form that rows have for a property.
    fileprivate func value(of property: Property, in model: EntityModel) -> Value {
        if property.structure != nil { return self == .null ? .null : .string(text) }
        if let name = property.enumeration, case .string(let text) = self {
            return model[enumeration: name]?.value(of: text).map(Value.integer) ?? .null
        }
        return value(as: property.type)
    }
}
