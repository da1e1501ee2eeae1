// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

extension Geography: CanonicalText {
    /// Reads extended WKT: `SRID=4326;Point(8.5 47.3)`, or WKT alone in the reference system 4326.
    ///
    /// Names in any case, blanks around parentheses and commas as databases write them; at most 20 collections inside
    /// each other.
    public init?(utf8: Span<UInt8>) {
        var reader = WKTReader(position: 0)
        var srid = 4326
        if utf8.count > 5, reader.word("SRID=", in: utf8) {
            let start = reader.position
            while reader.position < utf8.count, let digit = ASCII.digit(utf8[reader.position]) {
                srid = reader.position == start ? digit : srid * 10 + digit
                reader.position += 1
                guard reader.position - start <= 5 else { return nil }
            }
            guard reader.position > start, reader.skip(UInt8(ascii: ";"), in: utf8) else { return nil }
        }
        guard let shape = reader.shape(in: utf8, depth: 0) else { return nil }
        reader.skipBlanks(in: utf8)
        guard reader.position == utf8.count else { return nil }
        self.init(shape, srid: srid)
    }

    /// Appends extended WKT with the reference system: `SRID=4326;Point(8.5 47.3)`.
    public func append(to bytes: inout [UInt8]) {
        bytes.append(contentsOf: "SRID=\(srid);".utf8)
        shape.append(to: &bytes)
    }
}

extension Geography.Shape {
    /// Appends WKT without the reference system: `Point(8.5 47.3)`.
    public func append(to bytes: inout [UInt8]) {
        switch self {
        case .point(let position):
            bytes.append(contentsOf: "Point".utf8)
            list([position], to: &bytes) { $0.append(to: &$1) }
        case .lineString(let line):
            bytes.append(contentsOf: "LineString".utf8)
            positions(line, to: &bytes)
        case .polygon(let rings):
            bytes.append(contentsOf: "Polygon".utf8)
            list(rings, to: &bytes, positions)
        case .multiPoint(let points):
            bytes.append(contentsOf: "MultiPoint".utf8)
            list(points, to: &bytes) { positions([$0], to: &$1) }
        case .multiLineString(let lines):
            bytes.append(contentsOf: "MultiLineString".utf8)
            list(lines, to: &bytes, positions)
        case .multiPolygon(let polygons):
            bytes.append(contentsOf: "MultiPolygon".utf8)
            list(polygons, to: &bytes) { list($0, to: &$1, positions) }
        case .collection(let shapes):
            bytes.append(contentsOf: "GeometryCollection".utf8)
            list(shapes, to: &bytes) { $0.append(to: &$1) }
        }
    }

    private func positions(_ line: [Geography.Position], to bytes: inout [UInt8]) {
        list(line, to: &bytes) { $0.append(to: &$1) }
    }

    private func list<Item>(_ items: [Item], to bytes: inout [UInt8], _ append: (Item, inout [UInt8]) -> Void) {
        bytes.append(UInt8(ascii: "("))
        for (place, item) in items.enumerated() {
            if place > 0 { bytes.append(UInt8(ascii: ",")) }
            append(item, &bytes)
        }
        bytes.append(UInt8(ascii: ")"))
    }
}

extension Geography.Position {
    func append(to bytes: inout [UInt8]) {
        DoubleText.append(x, to: &bytes)
        for number in [y, altitude, measure] {
            guard let number else { return }
            bytes.append(0x20)
            DoubleText.append(number, to: &bytes)
        }
    }
}
