// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

extension EntityBodyReader {
    /// The value of one property.
    func assign(_ place: Int, _ reader: inout JSONReader, _ result: inout EntityBody) throws(ODataError) {
        let property = type.properties[place]
        guard property.isWritable else {
            try reader.skipValue()
            return
        }
        let value = try PropertyValueReader(model: model, passesRules: passesRules).value(of: property, &reader)
        // Some clients send null for a key that they do not know yet.
        if property.generation == .onInsert, value.isNull, type.key.contains(place) { return }
        var isObject = false
        if case .complex? = property.structure, !value.isNull { isObject = true }
        result.assignments.append(EntityBody.Assignment(property: place, value: value, merges: isObject))
    }

    /// The members of a complex property that is a group of columns, each for itself; null makes them all null.
    func complex(_ place: Int, _ reader: inout JSONReader, _ result: inout EntityBody) throws(ODataError) {
        let complex = type.complexProperties[place]
        switch try reader.kind() {
        case .null:
            try reader.null()
            guard complex.isNullable else {
                throw ODataError(.invalidValue, "\(complex.names.wire) cannot be null.", target: complex.names.wire)
            }
            clear(place, &result)
        case .object:
            try reader.beginObject()
            var isFirst = true
            var seen = MemberNames()
            while let token = try reader.nextName(&isFirst) {
                let name = try reader.string(token)
                guard seen.insert(name) else {
                    throw ODataError(.invalidBody, "\(name) is there twice.", target: name, at: reader.offset)
                }
                guard case .plain(let plain) = ControlName(name) else {
                    try reader.skipValue()
                    continue
                }
                if let part = type.properties.firstIndex(where: { $0.container == place && $0.names.wire == plain }) {
                    try assign(part, &reader, &result)
                } else if let part = type.complexProperties.firstIndex(where: {
                    $0.parent == place && $0.names.wire == plain
                }) {
                    try self.complex(part, &reader, &result)
                } else {
                    throw ODataError(
                        .unknownProperty,
                        "\(complex.type) has no property \(plain.prefix(128)).",
                        target: "\(complex.names.wire)/\(plain.prefix(128))",
                        at: reader.offset
                    )
                }
            }
        default:
            throw ODataError(
                .invalidValue,
                "The value of \(complex.names.wire) is no \(complex.type).",
                target: complex.names.wire,
                at: reader.offset
            )
        }
    }

    private func clear(_ place: Int, _ result: inout EntityBody) {
        for (part, property) in type.properties.enumerated() where property.container == place && property.isWritable {
            result.assignments.append(EntityBody.Assignment(property: part, value: .null))
        }
        for (part, complex) in type.complexProperties.enumerated() where complex.parent == place {
            clear(part, &result)
        }
    }
}
