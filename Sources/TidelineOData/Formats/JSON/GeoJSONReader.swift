// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Reads a spatial value from GeoJSON.
///
///     {"type":"Point","coordinates":[8.5,47.3],"crs":{"type":"name","properties":{"name":"EPSG:4326"}}}
///
/// Source: RFC 7946; OData JSON Format 4.01, section 7.1.
struct GeoJSONReader {
    let property: Property

    private static let depthLimit = 10
    private static let positionLimit = 1_000_000

    func shape(_ reader: inout JSONReader) throws(ODataError) -> Geography {
        let start = reader.offset
        guard try reader.kind() == .object else { throw wrong(start) }
        let bytes = reader.copy(try reader.skipValueRange())
        let tree = try JSONTree.read(bytes)
        let isFlat = property.type.isGeometry
        guard let shape = self.shape(tree, depth: 0), fits(shape) else { throw wrong(start) }
        return Geography(shape, srid: srid(tree) ?? property.srid ?? (isFlat ? 0 : 4326), isFlat: isFlat)
    }

    private func wrong(_ offset: Int) -> ODataError {
        ODataError(
            .invalidValue,
            "The value of \(property.names.wire) is no \(property.type.rawValue) in GeoJSON.",
            target: property.names.wire,
            at: offset
        )
    }

    /// Whether the property's type allows the shape.
    private func fits(_ shape: Geography.Shape) -> Bool {
        let kind = property.type.rawValue.dropFirst(property.type.isGeometry ? 12 : 13)
        switch (kind, shape) {
        case ("", _), ("Point", .point), ("LineString", .lineString), ("Polygon", .polygon),
            ("MultiPoint", .multiPoint), ("MultiLineString", .multiLineString), ("MultiPolygon", .multiPolygon),
            ("Collection", .collection):
            return true
        default: return false
        }
    }

    private func srid(_ tree: JSONTree) -> Int? {
        guard let name = tree["crs"]?["properties"]?["name"]?.text else { return nil }
        return name.split(separator: ":").last.flatMap { Int($0) }
    }

    private func shape(_ tree: JSONTree, depth: Int) -> Geography.Shape? {
        guard depth < Self.depthLimit, let type = tree["type"]?.text else { return nil }
        let coordinates = tree["coordinates"]
        switch type {
        case "Point": return coordinates.flatMap(position).map(Geography.Shape.point)
        case "LineString": return line(coordinates).map(Geography.Shape.lineString)
        case "Polygon": return lines(coordinates).map(Geography.Shape.polygon)
        case "MultiPoint": return line(coordinates).map(Geography.Shape.multiPoint)
        case "MultiLineString": return lines(coordinates).map(Geography.Shape.multiLineString)
        case "MultiPolygon":
            guard case .list(let list)? = coordinates else { return nil }
            return all(list.map { lines($0) }).map(Geography.Shape.multiPolygon)
        case "GeometryCollection":
            guard case .list(let list)? = tree["geometries"] else { return nil }
            return all(list.map { shape($0, depth: depth + 1) }).map(Geography.Shape.collection)
        default: return nil
        }
    }

    private func all<Item>(_ items: [Item?]) -> [Item]? {
        let found = items.compactMap { $0 }
        return found.count == items.count ? found : nil
    }

    private func lines(_ tree: JSONTree?) -> [[Geography.Position]]? {
        guard case .list(let list)? = tree else { return nil }
        return all(list.map { line($0) })
    }

    private func line(_ tree: JSONTree?) -> [Geography.Position]? {
        guard case .list(let list)? = tree, list.count <= Self.positionLimit else { return nil }
        return all(list.map(position))
    }

    private func number(_ tree: JSONTree) -> Double? {
        switch tree {
        case .integer(let number): Double(number)
        case .number(let text): Double(text)
        default: nil
        }
    }

    private func position(_ tree: JSONTree) -> Geography.Position? {
        guard case .list(let list) = tree, (2...4).contains(list.count),
            let numbers = all(list.map(number)), numbers.allSatisfy(\.isFinite)
        else { return nil }
        return Geography.Position(
            numbers[0],
            numbers[1],
            altitude: numbers.count > 2 ? numbers[2] : nil,
            measure: numbers.count > 3 ? numbers[3] : nil
        )
    }
}
