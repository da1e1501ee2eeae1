// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// Reads the body of a POST, PATCH or PUT for an entity.
///
///     {"@etag":"W/\"…\"","OrderStatus":2,"Client@odata.bind":"Clients(5)","Product":{"@id":"Products(7)"}}
///
/// Values are checked against their properties; what the database computes is passed over, as the standard says.
/// Source: OData Protocol 4.01, section 11.4; OData JSON Format 4.01, sections 8.5 and 20.
public struct EntityBodyReader {
    private let type: EntityType
    private let version: ODataVersion
    private let places: [String: Int]

    /// - Parameter version: the version of the body; `@etag` counts in 4.01 only.
    public init(type: EntityType, version: ODataVersion = .v401) {
        self.type = type
        self.version = version
        places = Dictionary(
            type.properties.enumerated().filter { !$1.isLocalOnly }.map { ($1.names.wire, $0) },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// Reads a body.
    ///
    /// - Throws: `InvalidJSON`; `InvalidBody` for a member that is twice there; `UnknownProperty` and `InvalidValue`
    ///   with the property as target; `NotSupported` for nested entities.
    public func read(_ body: [UInt8]) throws(ODataError) -> EntityBody { try read(body[...]) }

    /// The same for a part of a larger body.
    public func read(_ body: ArraySlice<UInt8>) throws(ODataError) -> EntityBody {
        try JSONReader.read(body) { reader throws(ODataError) in
            guard try reader.kind() == .object else {
                throw ODataError(.invalidBody, "The body is no JSON object.", at: reader.offset)
            }
            var result = EntityBody()
            var seen: Set<String> = []
            try reader.beginObject()
            var isFirst = true
            while let token = try reader.nextName(&isFirst) {
                let name = try reader.string(token)
                guard seen.insert(name).inserted else {
                    throw ODataError(.invalidBody, "\(name) is there twice.", target: name, at: reader.offset)
                }
                try member(ControlName(name), &reader, &result)
            }
            return result
        }
    }

    private func member(
        _ name: ControlName,
        _ reader: inout JSONReader,
        _ result: inout EntityBody
    ) throws(ODataError) {
        switch name {
        case .control("etag"):
            let text = try reader.stringValue()
            guard version >= .v401 else { return }
            guard let condition = ETagCondition(text: text) else {
                throw ODataError(.invalidValue, "@etag is no entity tag.", target: "@etag", at: reader.offset)
            }
            result.etag = condition
        case .control("id"): result.id = try reader.stringValue()
        case .annotation(let name, "bind"):
            guard let place = type.navigationIndex(wire: name) else { throw unknown(name, reader.offset) }
            try bind(place, try references(name, &reader), &result, reader.offset)
        case .annotation(let name, "delta"):
            throw ODataError(.notSupported, "Nested changes are not supported.", target: name, at: reader.offset)
        case .control, .annotation: try reader.skipValue()
        case .plain(let name):
            if let place = places[name] {
                try assign(place, &reader, &result)
            } else if let place = type.navigationIndex(wire: name) {
                try bind(place, try nested(name, place, &reader), &result, reader.offset)
            } else {
                throw unknown(name, reader.offset)
            }
        }
    }

    private func unknown(_ name: String, _ offset: Int) -> ODataError {
        ODataError(
            .unknownProperty,
            "\(type.names.wire) has no property \(name.prefix(128)).",
            target: String(name.prefix(128)),
            at: offset
        )
    }

    private func assign(_ place: Int, _ reader: inout JSONReader, _ result: inout EntityBody) throws(ODataError) {
        let property = type.properties[place]
        let start = reader.offset
        guard let value = try reader.value(property.type) else {
            throw ODataError(
                .invalidValue,
                "The value of \(property.names.wire) is no \(property.type.rawValue).",
                target: property.names.wire,
                at: start
            )
        }
        switch property.generation {
        case .always: return
        case .onInsert where value.isNull: return
        case .onInsert, .none: break
        }
        do throws(ValueError) {
            result.assignments.append(EntityBody.Assignment(property: place, value: try property.check(value)))
        } catch {
            throw ODataError(.invalidValue, error.message, target: error.property, at: start)
        }
    }

    // MARK: References

    private func bind(
        _ place: Int,
        _ references: [String],
        _ result: inout EntityBody,
        _ offset: Int
    ) throws(ODataError) {
        let name = type.navigationProperties[place].names.wire
        guard !result.binds.contains(where: { $0.navigation == place }) else {
            throw ODataError(.invalidBody, "\(name) is bound twice.", target: name, at: offset)
        }
        result.binds.append(EntityBody.Bind(navigation: place, references: references))
    }

    /// The value of `Nav@odata.bind`: a reference, several of them, or null.
    private func references(_ name: String, _ reader: inout JSONReader) throws(ODataError) -> [String] {
        let isCollection = type.navigationIndex(wire: name).map { type.navigationProperties[$0].isCollection } ?? false
        switch try reader.kind() {
        case .string where !isCollection: return [try reader.stringValue()]
        case .null where !isCollection:
            try reader.null()
            return []
        case .array where isCollection:
            var references: [String] = []
            try reader.beginArray()
            var isFirst = true
            while try reader.nextElement(&isFirst) { references.append(try reader.stringValue()) }
            return references
        default:
            throw ODataError(
                .invalidValue,
                "\(name) is not bound to what it leads to.",
                target: name,
                at: reader.offset
            )
        }
    }

    /// The value of `Nav`: `{"@id":…}`, several of them, or null.
    private func nested(_ name: String, _ place: Int, _ reader: inout JSONReader) throws(ODataError) -> [String] {
        let isCollection = type.navigationProperties[place].isCollection
        switch try reader.kind() {
        case .null where !isCollection:
            try reader.null()
            return []
        case .object where !isCollection: return [try reference(name, &reader)]
        case .array where isCollection:
            var references: [String] = []
            try reader.beginArray()
            var isFirst = true
            while try reader.nextElement(&isFirst) { references.append(try reference(name, &reader)) }
            return references
        default:
            throw ODataError(.invalidValue, "\(name) is not what it leads to.", target: name, at: reader.offset)
        }
    }

    private func reference(_ name: String, _ reader: inout JSONReader) throws(ODataError) -> String {
        let start = reader.offset
        var id: String?
        try reader.beginObject()
        var isFirst = true
        while let token = try reader.nextName(&isFirst) {
            switch ControlName(try reader.string(token)) {
            case .control("id") where id == nil: id = try reader.stringValue()
            case .control, .annotation: try reader.skipValue()
            case .plain:
                throw ODataError(
                    .notSupported,
                    "Entities inside entities are not supported: \(name) takes references only.",
                    target: name,
                    at: start
                )
            }
        }
        guard let id else {
            throw ODataError(.notSupported, "\(name) needs the @id of an existing entity.", target: name, at: start)
        }
        return id
    }
}
