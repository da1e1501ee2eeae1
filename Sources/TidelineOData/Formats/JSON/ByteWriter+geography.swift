// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

extension ByteWriter {
    /// Appends a spatial value as GeoJSON.
    ///
    /// The reference system is named where it is not the one that GeoJSON means by itself.
    /// Source: OData JSON Format 4.01, section 7.1; RFC 7946.
    func append(geography value: Geography) {
        append(UInt8(ascii: "{"))
        appendMembers(of: value.shape)
        if value.srid != (value.isFlat ? 0 : 4326) {
            append(text: ",\"crs\":{\"type\":\"name\",\"properties\":{\"name\":\"EPSG:\(value.srid)\"}}")
        }
        append(UInt8(ascii: "}"))
    }

    private func appendMembers(of shape: Geography.Shape) {
        switch shape {
        case .point(let position):
            begin("Point")
            append(position)
        case .lineString(let line):
            begin("LineString")
            list(line) { append($0) }
        case .polygon(let rings):
            begin("Polygon")
            list(rings) { list($0) { append($0) } }
        case .multiPoint(let points):
            begin("MultiPoint")
            list(points) { append($0) }
        case .multiLineString(let lines):
            begin("MultiLineString")
            list(lines) { list($0) { append($0) } }
        case .multiPolygon(let polygons):
            begin("MultiPolygon")
            list(polygons) { list($0) { list($0) { append($0) } } }
        case .collection(let shapes):
            append("\"type\":\"GeometryCollection\",\"geometries\":")
            list(shapes) { shape in
                append(UInt8(ascii: "{"))
                appendMembers(of: shape)
                append(UInt8(ascii: "}"))
            }
        }
    }

    private func begin(_ type: StaticString) {
        append("\"type\":\"")
        append(type)
        append("\",\"coordinates\":")
    }

    private func append(_ position: Geography.Position) {
        append(UInt8(ascii: "["))
        append(double: position.x)
        for number in [position.y, position.altitude, position.measure] {
            guard let number else { break }
            append(UInt8(ascii: ","))
            append(double: number)
        }
        append(UInt8(ascii: "]"))
    }

    private func list<Item>(_ items: [Item], _ write: (Item) -> Void) {
        append(UInt8(ascii: "["))
        for (place, item) in items.enumerated() {
            if place > 0 { append(UInt8(ascii: ",")) }
            write(item)
        }
        append(UInt8(ascii: "]"))
    }
}
