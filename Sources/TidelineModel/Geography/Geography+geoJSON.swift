// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// GeoJSON in columns.
///
/// Source: RFC 7946, section 3.1.
extension Geography {
    /// Reads a GeoJSON geometry; `nil` when it is none.
    package init?(geoJSON json: JSONValue, srid: Int) {
        guard let shape = Shape(geoJSON: json, depth: 0) else { return nil }
        self.init(shape, srid: srid)
    }
}

extension Geography.Shape {
    fileprivate init?(geoJSON json: JSONValue, depth: Int) {
        guard depth < 20, case .string(let type) = json.member(["type"]) else { return nil }
        let coordinates = json.member(["coordinates"])
        switch type {
        case "Point":
            guard let position = Geography.Position(coordinates) else { return nil }
            self = .point(position)
        case "LineString":
            guard let line = Self.line(coordinates) else { return nil }
            self = .lineString(line)
        case "MultiPoint":
            guard let points = Self.line(coordinates) else { return nil }
            self = .multiPoint(points)
        case "Polygon":
            guard let rings = Self.all(coordinates, Self.line) else { return nil }
            self = .polygon(rings)
        case "MultiLineString":
            guard let lines = Self.all(coordinates, Self.line) else { return nil }
            self = .multiLineString(lines)
        case "MultiPolygon":
            guard let polygons = Self.all(coordinates, { Self.all($0, Self.line) }) else { return nil }
            self = .multiPolygon(polygons)
        case "GeometryCollection":
            guard let shapes = Self.all(json.member(["geometries"]), { Self(geoJSON: $0, depth: depth + 1) }) else {
                return nil
            }
            self = .collection(shapes)
        default: return nil
        }
    }

    private static func line(_ json: JSONValue) -> [Geography.Position]? { all(json) { Geography.Position($0) } }

    private static func all<Item>(_ json: JSONValue, _ read: (JSONValue) -> Item?) -> [Item]? {
        guard case .array(let items) = json else { return nil }
        var result: [Item] = []
        for item in items {
            guard let value = read(item) else { return nil }
            result.append(value)
        }
        return result
    }
}

extension Geography.Position {
    fileprivate init?(_ json: JSONValue) {
        guard case .array(let items) = json, items.count >= 2 else { return nil }
        var numbers: [Double] = []
        for item in items {
            guard case .double(let number) = item.value(as: .double) else { return nil }
            numbers.append(number)
        }
        self.init(numbers[0], numbers[1], altitude: numbers.count > 2 ? numbers[2] : nil)
    }
}
