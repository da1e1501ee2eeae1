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
    let type: EntityType
    let version: ODataVersion
    /// The model, where entities of related sets can be read inside this one.
    let model: EntityModel?
    let depth: Int
    /// Whether values that break a rule of their property pass, because the caller tells all of them at once.
    let passesRules: Bool
    private let places: [String: Int]
    private let complexPlaces: [String: Int]
    private let dynamicPlace: Int?

    /// How deep entities may stand in entities.
    static let depthLimit = 20

    /// - Parameters:
    ///   - model: the model with the sets that navigation properties lead to; without it nothing is nested.
    ///   - version: the version of the body; `@etag` counts in 4.01 only.
    ///   - passesRules: whether values that break a rule of their property (a length, a pattern) pass; those of another
    ///     type never do.
    public init(
        type: EntityType,
        model: EntityModel? = nil,
        version: ODataVersion = .v401,
        passesRules: Bool = false
    ) {
        self.init(type: type, model: model, version: version, depth: 0, passesRules: passesRules)
    }

    init(type: EntityType, model: EntityModel?, version: ODataVersion, depth: Int, passesRules: Bool) {
        self.passesRules = passesRules
        self.type = type
        self.version = version
        self.model = model
        self.depth = depth
        dynamicPlace = type.dynamicProperty
        places = Dictionary(
            type.properties.enumerated()
                .filter { !$1.isLocalOnly && $1.container == nil && $1.structure != .dynamic }
                .map { ($1.names.wire, $0) },
            uniquingKeysWith: { first, _ in first }
        )
        complexPlaces = Dictionary(
            type.complexProperties.enumerated().filter { $1.parent == nil }.map { ($1.names.wire, $0) },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// Reads a body.
    ///
    /// - Throws: `InvalidJSON`; `InvalidBody` for a member that is twice there; `UnknownProperty` and `InvalidValue`
    ///   with the property as target; `NotSupported` for nested entities without a model.
    public func read(_ body: [UInt8]) throws(ODataError) -> EntityBody { try read(body[...]) }

    /// The same for a part of a larger body.
    public func read(_ body: ArraySlice<UInt8>) throws(ODataError) -> EntityBody {
        try JSONReader.read(body) { reader throws(ODataError) in try entity(&reader) }
    }

    /// The entity whose object begins here.
    func entity(_ reader: inout JSONReader) throws(ODataError) -> EntityBody {
        guard try reader.kind() == .object else {
            throw ODataError(.invalidBody, "The body is no JSON object.", at: reader.offset)
        }
        var result = EntityBody()
        result.assignments.reserveCapacity(min(places.count, 16))
        var dynamic = DynamicMembers()
        var streams = InlineStreams()
        var seen = MemberNames()
        try reader.beginObject()
        var isFirst = true
        while let token = try reader.nextName(&isFirst) {
            let name = try reader.string(token)
            guard seen.insert(name) else {
                throw ODataError(.invalidBody, "\(name) is there twice.", target: name, at: reader.offset)
            }
            try member(ControlName(name), &reader, &result, &dynamic, &streams)
        }
        try streams.write(to: &result, of: type, plain: assign)
        if let place = dynamicPlace, !dynamic.isEmpty {
            result.assignments.append(
                EntityBody.Assignment(property: place, value: .string(dynamic.text), merges: true)
            )
        }
        return result
    }

    private func member(
        _ name: ControlName,
        _ reader: inout JSONReader,
        _ result: inout EntityBody,
        _ dynamic: inout DynamicMembers,
        _ streams: inout InlineStreams
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
        case .control("type"): result.type = try typeName(&reader)
        case .control("removed"): result.removal = try removal(&reader)
        case .control("Core.ContentID"), .control("Org.OData.Core.V1.ContentID"):
            result.contentID = try reader.stringValue()
        case .annotation(let name, "bind"):
            guard let place = type.navigationIndex(wire: name) else { throw unknown(name, reader.offset) }
            try bind(place, try references(name, &reader), &result, reader.offset)
        case .annotation(let name, "delta"):
            guard let place = type.navigationIndex(wire: name) else { throw unknown(name, reader.offset) }
            try nested(name, place, isDelta: true, &reader, &result)
        case .annotation(let name, "mediaContentType"):
            guard try reader.kind() == .string else { return try reader.skipValue() }
            let text = try reader.stringValue()
            if let place = places[name], type.properties[place].stream != nil { streams.note(text, of: place) }
        // The type of a property that is not declared here, maybe one of another service, belongs to its value.
        case .annotation(let name, "type") where dynamicPlace != nil && isUndeclared(name):
            guard try reader.kind() == .string else {
                throw ODataError(.invalidValue, "The type of \(name) is no text.", target: name, at: reader.offset)
            }
            try dynamic.add("\(name)@type", &reader)
        case .control, .annotation: try reader.skipValue()
        // An operation that an answer told of comes back with the entity: JSON Format 4.01, sections 16 and 17.
        case .plain(let name) where name.hasPrefix("#"): try reader.skipValue()
        case .plain("$value") where type.mediaProperty != nil:
            guard case .binary(let bytes)? = try reader.value(.binary) else {
                throw ODataError(.invalidValue, "$value is not base64url.", target: "$value", at: reader.offset)
            }
            result.media = bytes
        case .plain(let name):
            if let place = places[name], type.properties[place].stream != nil, type.properties[place].isWritable {
                try streams.add(place, &reader)
            } else if let place = places[name] {
                try assign(place, &reader, &result)
            } else if let place = complexPlaces[name] {
                try complex(place, &reader, &result)
            } else if let place = type.navigationIndex(wire: name) {
                try nested(name, place, isDelta: false, &reader, &result)
            } else if dynamicPlace != nil, DynamicMembers.isName(name) {
                try dynamic.add(name, &reader)
            } else {
                throw unknown(name, reader.offset)
            }
        }
    }

    private func isUndeclared(_ name: String) -> Bool {
        places[name] == nil && complexPlaces[name] == nil && type.navigationIndex(wire: name) == nil
            && DynamicMembers.isName(name)
    }

    func unknown(_ name: String, _ offset: Int) -> ODataError {
        ODataError(
            .unknownProperty,
            "\(type.names.wire) has no property \(name.prefix(128)).",
            target: String(name.prefix(128)),
            at: offset
        )
    }

    /// `#Shop.Product`, `Shop.Product` or `https://…#Shop.Product`: the name alone.
    private func typeName(_ reader: inout JSONReader) throws(ODataError) -> String {
        let text = try reader.stringValue()
        let name = text.split(separator: "#").last ?? ""
        return String(name.split(separator: ".").last ?? "")
    }

    /// `{"reason":"deleted"}`; without a reason the entity is deleted.
    private func removal(_ reader: inout JSONReader) throws(ODataError) -> EntityBody.Removal {
        guard try reader.kind() == .object else {
            throw ODataError(.invalidBody, "@removed is no object.", target: "@removed", at: reader.offset)
        }
        var removal = EntityBody.Removal.deleted
        try reader.beginObject()
        var isFirst = true
        while let token = try reader.nextName(&isFirst) {
            if try reader.string(token) == "reason", try reader.kind() == .string {
                guard let reason = EntityBody.Removal(rawValue: try reader.stringValue()) else {
                    throw ODataError(.invalidBody, "The reason is deleted or changed.", target: "@removed")
                }
                removal = reason
            } else {
                try reader.skipValue()
            }
        }
        return removal
    }
}
