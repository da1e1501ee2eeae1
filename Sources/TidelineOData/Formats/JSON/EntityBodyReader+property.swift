// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

extension EntityBodyReader {
    /// The body of a request to a single property: `{"value": …}`, or the object of a complex value itself.
    ///
    /// - Throws: `InvalidJSON`, `InvalidBody`, `InvalidValue`.
    public func property(_ place: Int, in body: [UInt8]) throws(ODataError) -> EntityBody {
        let property = type.properties[place]
        var isObject = false
        if case .complex? = property.structure { isObject = true }
        return try JSONReader.read(body[...]) { reader throws(ODataError) in
            var inner = reader
            guard try reader.kind() == .object else {
                throw ODataError(.invalidBody, "The body is no JSON object.", at: reader.offset)
            }
            var value: Range<Int>?
            var count = 0
            try reader.beginObject()
            var isFirst = true
            while let token = try reader.nextName(&isFirst) {
                let name = ControlName(try reader.string(token))
                let range = try reader.skipValueRange()
                guard case .plain(let plain) = name else { continue }
                count += 1
                if plain == "value" { value = range }
            }
            if let value, !isObject || count == 1 {
                inner.offset = value.lowerBound
            } else if !isObject {
                throw ODataError(.invalidBody, "The body has no \"value\".", target: "value")
            }
            var result = EntityBody()
            let isNull = try inner.kind() == .null
            var asked = property
            // A value that cannot be written is for the service to refuse, not to pass over.
            asked.generation = .none
            let read = try PropertyValueReader(model: model, passesRules: passesRules).value(of: asked, &inner)
            result.assignments.append(
                EntityBody.Assignment(property: place, value: read, merges: isObject && !isNull)
            )
            return result
        }
    }

    /// The body of a request to a property that an open type does not declare: the change of its dynamic properties.
    ///
    /// - Throws: `InvalidJSON`, `InvalidBody`; `UnknownProperty` for what is no name.
    public func dynamicProperty(_ name: String, in body: [UInt8]) throws(ODataError) -> String {
        guard DynamicMembers.isName(name) else { throw unknown(name, 0) }
        var dynamic = DynamicMembers()
        return try JSONReader.read(body[...]) { reader throws(ODataError) in
            guard try reader.kind() == .object else {
                throw ODataError(.invalidBody, "The body is no JSON object.", at: reader.offset)
            }
            var hasValue = false
            try reader.beginObject()
            var isFirst = true
            while let token = try reader.nextName(&isFirst) {
                switch ControlName(try reader.string(token)) {
                case .plain("value"):
                    hasValue = true
                    try dynamic.add(name, &reader)
                case .control("type"), .annotation("value", "type"): try dynamic.add("\(name)@type", &reader)
                default: try reader.skipValue()
                }
            }
            guard hasValue else { throw ODataError(.invalidBody, "The body has no \"value\".", target: "value") }
            return dynamic.text
        }
    }

    /// The body of a request to a complex property over columns: its members, or null.
    ///
    /// - Throws: `InvalidJSON`, `InvalidBody`, `InvalidValue`.
    public func complexProperty(_ place: Int, in body: [UInt8]) throws(ODataError) -> EntityBody {
        try JSONReader.read(body[...]) { reader throws(ODataError) in
            var result = EntityBody()
            var inner = reader
            try reader.skipValue()
            if try inner.kind() == .object, let value = try onlyValue(inner) { inner.offset = value }
            try complex(place, &inner, &result)
            return result
        }
    }

    /// Where the value of `{"value": …}` is, when the object has no other member.
    private func onlyValue(_ reader: JSONReader) throws(ODataError) -> Int? {
        var reader = reader
        var value: Int?
        var count = 0
        try reader.beginObject()
        var isFirst = true
        while let token = try reader.nextName(&isFirst) {
            let name = ControlName(try reader.string(token))
            let range = try reader.skipValueRange()
            guard case .plain(let plain) = name else { continue }
            count += 1
            if plain == "value" { value = range.lowerBound }
        }
        return count == 1 ? value : nil
    }
}
