// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// GeoJSON of a value.
///
/// Source: RFC 7946, section 3.1; OData JSON Format 4.01, section 7.1.
extension Geography {
    /// The value as a GeoJSON object, with its reference system where GeoJSON does not mean that by itself.
    package var json: JSONValue {
        var members = shape.members
        if srid != (isFlat ? 0 : 4326) {
            let name = JSONValue.object([.init(name: "name", value: .string("EPSG:\(srid)"))])
            let system = [
                JSONValue.Member(name: "type", value: .string("name")), .init(name: "properties", value: name),
            ]
            members.append(.init(name: "crs", value: .object(system)))
        }
        return .object(members)
    }
}

extension Geography.Shape {
    fileprivate var members: [JSONValue.Member] {
        func list<Item>(_ items: [Item], _ json: (Item) -> JSONValue) -> JSONValue { .array(items.map(json)) }
        func line(_ items: [Geography.Position]) -> JSONValue { list(items, \.json) }
        func shape(_ type: String, _ coordinates: JSONValue) -> [JSONValue.Member] {
            [.init(name: "type", value: .string(type)), .init(name: "coordinates", value: coordinates)]
        }
        switch self {
        case .point(let position): return shape("Point", position.json)
        case .lineString(let positions): return shape("LineString", line(positions))
        case .polygon(let rings): return shape("Polygon", list(rings, line))
        case .multiPoint(let points): return shape("MultiPoint", line(points))
        case .multiLineString(let lines): return shape("MultiLineString", list(lines, line))
        case .multiPolygon(let polygons): return shape("MultiPolygon", list(polygons) { list($0, line) })
        case .collection(let shapes):
            let parts = shapes.map { JSONValue.object($0.members) }
            return [
                .init(name: "type", value: .string("GeometryCollection")),
                .init(name: "geometries", value: .array(parts)),
            ]
        }
    }
}

extension Geography.Position {
    fileprivate var json: JSONValue {
        var numbers = [x, y]
        if let altitude { numbers.append(altitude) }
        if altitude != nil, let measure { numbers.append(measure) }
        return .array(numbers.map { JSONValue(.double($0)) })
    }
}
