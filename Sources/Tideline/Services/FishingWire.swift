// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// A spot on the wire of the fishing app, and the properties of an app's entity that it carries.
///
///     {"id":7,"name":"Old pier","lat":59.9139,"lng":10.7522,"publicSpot":1,"comments":"early","owner":{"userId":"42",…}}
///
/// It has no null, no version and no member of any other name.
struct FishingWire<Element: Queryable>: Sendable {
    /// The set that the wire carries.
    static var set: String { "FishingSpots" }
    private static var members: [String: [String]] {
        [
            "Id": ["id"], "Name": ["name"], "Lat": ["lat"], "Lng": ["lng"], "IsPublicSpot": ["publicSpot"],
            "Comments": ["comments"], "OwnerId": ["owner", "userId"],
        ]
    }

    private let properties: [Property]

    /// - Throws: ``EntityServiceError`` with `unfit` for an entity that the wire does not carry.
    init() throws(EntityServiceError) {
        let description = Element.entityDescription
        guard description.set == Self.set else {
            throw EntityServiceError(
                .unfit,
                set: description.set,
                message: "The wire of the fishing app carries \(Self.set) and no \(description.set)."
            )
        }
        properties = description.properties.map(\.property)
        let unknown = properties.map(\.names.wire).filter { Self.members[$0] == nil }
        guard unknown.isEmpty else {
            throw EntityServiceError(
                .unfit,
                set: Self.set,
                properties: unknown,
                message: "The wire of the fishing app has no place for \(unknown.joined(separator: ", "))."
            )
        }
    }

    /// The parameters that make or change a spot.
    ///
    /// - Parameter user: the author; another one that the entity names is none of the wire's.
    /// - Throws: ``EntityServiceError`` with `invalid` for a null, which has no form there.
    func parameters(_ entity: Element, id: String, user: String) throws(EntityServiceError) -> [(String, String)] {
        var values: [String: String] = [:]
        for (property, value) in zip(properties, entity.edmValues) {
            let name = property.names.wire
            guard let text = Self.text(value) else {
                throw EntityServiceError(
                    .invalid,
                    set: Self.set,
                    properties: [name],
                    message: "\(name) is null, which the wire of the fishing app does not carry."
                )
            }
            values[name] = text
        }
        return [
            ("id", id), ("name", values["Name"] ?? ""), ("author", user), ("lat", values["Lat"] ?? "0"),
            ("lng", values["Lng"] ?? "0"), ("is_public_spot", values["IsPublicSpot"] ?? "0"),
            ("comments", values["Comments"] ?? ""),
        ]
    }

    private static func text(_ value: Value) -> String? {
        switch value {
        case .boolean(let flag): flag ? "1" : "0"
        case .null: nil
        default: value.text
        }
    }

    /// The entity of an item: whole, or an error.
    ///
    /// - Throws: ``EntityServiceError`` with `unfit` that names the member and the object.
    func entity(_ item: JSONValue) throws -> Element {
        var name = Self.set
        if case .number(let digits) = item.member(["id"]) { name += "(\(digits))" }
        var values: [Value] = []
        for property in properties {
            let path = Self.members[property.names.wire] ?? []
            let value = Self.value(item.member(path), as: property.type)
            guard !value.isNull else {
                let member = path.joined(separator: ".")
                throw EntityServiceError(
                    .unfit,
                    set: Self.set,
                    properties: [property.names.wire],
                    message: "In the answer of the server \(member) of \(name) is missing, null or of another type."
                )
            }
            values.append(value)
        }
        return try Element(edmValues: values)
    }

    private static func value(_ json: JSONValue, as type: PrimitiveType) -> Value {
        switch (json, type) {
        case (.number("0"), .boolean): .boolean(false)
        case (.number("1"), .boolean): .boolean(true)
        // A user's key is a text there, whatever it is here.
        case (.string(let text), _) where type.integerRange != nil: Value(text: text, as: type) ?? .null
        default: json.value(as: type)
        }
    }
}
