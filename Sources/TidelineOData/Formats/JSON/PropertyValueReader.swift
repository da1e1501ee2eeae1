// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Reads the JSON value of a property: a primitive one, a member of an enumeration, a shape, or a structure as text.
struct PropertyValueReader {
    let model: EntityModel?
    /// Whether values that break a rule of their property pass, because the caller tells all of them at once.
    ///
    /// Items and members are checked here all the same.
    var passesRules = false

    /// - Throws: `InvalidValue` with the property as target.
    func value(of property: Property, _ reader: inout JSONReader) throws(ODataError) -> Value {
        let start = reader.offset
        let isNull = try reader.kind() == .null
        if let structure = property.structure {
            if isNull {
                try reader.null()
                if case .collection = structure { throw wrong(property, "array", start) }
                guard property.isNullable else { throw wrong(property, "object", start) }
                return .null
            }
            let output = ByteWriter()
            try self.structure(structure, property, &reader, to: output)
            return .string(output.text)
        }
        let value: Value
        if let name = property.enumeration, !isNull {
            value = .integer(try member(name, property, &reader))
        } else if property.type.isSpatial, !isNull {
            value = .geography(try GeoJSONReader(property: property).shape(&reader))
        } else {
            guard let read = try reader.value(property.type) else {
                throw wrong(property, property.type.rawValue, start)
            }
            value = read
        }
        if property.generation == .onInsert, value.isNull { return .null }
        for broken in property.violations(of: value) where !(passesRules && broken.isRule) {
            throw ODataError(.invalidValue, broken.message, target: broken.property, at: start)
        }
        return value.isNull ? .null : value.promoted(to: property.type) ?? value
    }

    private func wrong(_ property: Property, _ what: String, _ offset: Int) -> ODataError {
        ODataError(
            .invalidValue,
            "The value of \(property.names.wire) is no \(what).",
            target: property.names.wire,
            at: offset
        )
    }

    /// The number of a member: `"Red"`, `"Red,Blue"`, `"3"` or 3.
    private func member(_ name: String, _ property: Property, _ reader: inout JSONReader) throws(ODataError) -> Int64 {
        let start = reader.offset
        let text: String
        switch try reader.kind() {
        case .string: text = try reader.stringValue()
        case .number: text = String(decoding: reader.copy(try reader.number().range), as: UTF8.self)
        default: throw wrong(property, name, start)
        }
        guard let number = model?[enumeration: name]?.value(of: text) else { throw wrong(property, name, start) }
        return number
    }

    // MARK: Structures

    /// Copies a structured value, checked, without its annotations.
    func structure(
        _ structure: Structure,
        _ property: Property,
        _ reader: inout JSONReader,
        to output: ByteWriter
    ) throws(ODataError) {
        switch structure {
        case .complex(let type): try complex(type, property, &reader, to: output)
        case .dynamic: output.append(reader.copy(try reader.skipValueRange()))
        case .collection(let element, let itemsNullable):
            guard try reader.kind() == .array else { throw wrong(property, "array", reader.offset) }
            output.append("[")
            try reader.beginArray()
            var isFirst = true
            var isEmpty = true
            while try reader.nextElement(&isFirst) {
                if !isEmpty { output.append(",") }
                isEmpty = false
                if try reader.kind() == .null {
                    guard itemsNullable else { throw wrong(property, "list without null", reader.offset) }
                    try reader.null()
                    output.append("null")
                } else {
                    try item(element, property, &reader, to: output)
                }
            }
            output.append("]")
        }
    }

    /// One item of a collection.
    func item(
        _ element: Structure.Element,
        _ property: Property,
        _ reader: inout JSONReader,
        to output: ByteWriter
    ) throws(ODataError) {
        var item = property
        item.structure = nil
        if passesRules {
            return try PropertyValueReader(model: model).item(element, property, &reader, to: output)
        }
        switch element {
        case .complex(let type): try complex(type, property, &reader, to: output)
        case .primitive(let type):
            item.type = type
            item.enumeration = nil
            write(try value(of: item, &reader), item, to: output)
        case .enumeration(let name):
            item.enumeration = name
            item.type = model?[enumeration: name]?.underlyingType ?? .int64
            write(try value(of: item, &reader), item, to: output)
        }
    }

    private func write(_ value: Value, _ property: Property, to output: ByteWriter) {
        if let name = property.enumeration, case .integer(let number) = value {
            output.appendQuoted(model?[enumeration: name]?.text(of: number) ?? "\(number)")
        } else {
            output.append(value: value, type: property.type, format: JSONFormat(version: .v401))
        }
    }

    private func complex(
        _ name: String,
        _ property: Property,
        _ reader: inout JSONReader,
        to output: ByteWriter
    ) throws(ODataError) {
        guard try reader.kind() == .object else { throw wrong(property, name, reader.offset) }
        if passesRules { return try PropertyValueReader(model: model).complex(name, property, &reader, to: output) }
        var type = model?[complexType: name]
        var properties = self.properties(of: name)
        output.append("{")
        try reader.beginObject()
        var isFirst = true
        var seen = MemberNames()
        var isEmpty = true
        func begin(_ name: String) {
            if !isEmpty { output.append(",") }
            isEmpty = false
            output.appendQuoted(name)
            output.append(":")
        }
        while let token = try reader.nextName(&isFirst) {
            let member = try reader.string(token)
            guard seen.insert(member) else {
                throw ODataError(.invalidBody, "\(member) is there twice.", target: member, at: reader.offset)
            }
            switch ControlName(member) {
            case .control("type") where name == ComplexType.untyped.names.wire:
                begin("@type")
                output.append(reader.copy(try reader.skipValueRange()))
            case .control("type"):
                let text = try reader.stringValue()
                let derived = String(text.split(whereSeparator: { $0 == "." || $0 == "#" }).last ?? "")
                guard self.isType(derived, derivedFrom: name) else { throw wrong(property, name, reader.offset) }
                if derived != name {
                    type = model?[complexType: derived]
                    properties = self.properties(of: derived)
                    begin("@type")
                    output.appendQuoted("#\(model?.namespace ?? "").\(derived)")
                }
            case .control, .annotation: try reader.skipValue()
            case .plain(let plain):
                if let part = properties.first(where: { $0.names.wire == plain }) {
                    begin(plain)
                    if let structure = part.structure, try reader.kind() != .null {
                        try self.structure(structure, part, &reader, to: output)
                    } else {
                        write(try value(of: part, &reader), part, to: output)
                    }
                } else if type?.isOpen == true {
                    begin(plain)
                    output.append(reader.copy(try reader.skipValueRange()))
                } else {
                    throw ODataError(
                        .unknownProperty,
                        "\(name) has no property \(plain.prefix(128)).",
                        target: "\(property.names.wire)/\(plain.prefix(128))",
                        at: reader.offset
                    )
                }
            }
        }
        output.append("}")
    }

    /// The properties of a complex type, those of its bases first.
    private func properties(of name: String) -> [Property] {
        var properties: [Property] = []
        var next: String? = name
        while let name = next, let type = model?[complexType: name] {
            properties = type.properties + properties
            next = type.baseType
        }
        return properties
    }

    private func isType(_ name: String, derivedFrom base: String) -> Bool {
        var next: String? = name
        while let name = next {
            if name == base { return true }
            next = model?[complexType: name]?.baseType
        }
        return false
    }
}
