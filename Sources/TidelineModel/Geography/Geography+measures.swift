// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Distances, lengths and intersections: the same formulae on every store.
///
/// On the globe (geography) a sphere of radius 6,371,008.8 m, the mean radius of WGS 84, and the haversine formula;
/// results are metres. On a plane (geometry) Pythagoras, in the unit of the coordinates. An ellipsoid gives lengths that
/// differ by up to 0.6 %.
///
/// A point meets a polygon when it lies within its outer ring and in none of its holes, or on a ring; edges are
/// straight lines in longitude and latitude, and no ring crosses the antimeridian.
/// Values of different reference systems have no distance and no intersection: null.
/// Source: OData URL Conventions 4.01, section 5.1.1.10; R. W. Sinnott, "Virtues of the Haversine", 1984.
extension Geography {
    /// The mean radius of WGS 84 in metres.
    package static let radius = 6_371_008.8

    /// `geo.distance`: between two points; `nil` for other shapes.
    package static func distance(_ left: Geography, _ right: Geography) -> Double? {
        guard left.srid == right.srid, case .point(let first) = left.shape, case .point(let second) = right.shape else {
            return nil
        }
        return distance(first, second, isFlat: left.measuresFlat || right.measuresFlat)
    }

    /// `geo.length`: of a line, or of all lines of a multi-line; `nil` for other shapes.
    package var length: Double? {
        switch shape {
        case .lineString(let line): length(of: line)
        case .multiLineString(let lines): lines.reduce(0) { $0 + length(of: $1) }
        default: nil
        }
    }

    /// `geo.intersects`: whether a point and a polygon, in either order, have a point in common; `nil` for other shapes.
    package static func intersects(_ left: Geography, _ right: Geography) -> Bool? {
        guard left.srid == right.srid else { return nil }
        switch (left.shape, right.shape) {
        case (.point(let point), .polygon(let rings)), (.polygon(let rings), .point(let point)):
            return contains(rings, point)
        case (.point(let point), .multiPolygon(let polygons)), (.multiPolygon(let polygons), .point(let point)):
            return contains(polygons.flatMap(\.self), point)
        default: return nil
        }
    }

    /// A plane: said so, or the reference system 0, which has no globe.
    private var measuresFlat: Bool { isFlat || srid == 0 }

    private func length(of line: [Position]) -> Double {
        var sum = 0.0
        for (first, second) in zip(line, line.dropFirst()) {
            sum += Geography.distance(first, second, isFlat: measuresFlat)
        }
        return sum
    }

    private static func distance(_ first: Position, _ second: Position, isFlat: Bool) -> Double {
        if isFlat {
            let (x, y) = (second.x - first.x, second.y - first.y)
            return (x * x + y * y).squareRoot()
        }
        let radian = Double.pi / 180
        let latitude = sin((second.y - first.y) * radian / 2)
        let longitude = sin((second.x - first.x) * radian / 2)
        let chord = latitude * latitude + cos(first.y * radian) * cos(second.y * radian) * longitude * longitude
        return 2 * radius * asin(min(1, chord.squareRoot()))
    }

    /// By the number of edges that a ray to the east crosses; each ring turns inside out what it encloses.
    private static func contains(_ rings: [[Position]], _ point: Position) -> Bool {
        var isInside = false
        for ring in rings {
            for (first, second) in zip(ring, ring.dropFirst()) {
                let cross = (second.x - first.x) * (point.y - first.y) - (second.y - first.y) * (point.x - first.x)
                if cross == 0, min(first.x, second.x) <= point.x, point.x <= max(first.x, second.x),
                    min(first.y, second.y) <= point.y, point.y <= max(first.y, second.y)
                {
                    return true
                }
                guard (first.y > point.y) != (second.y > point.y) else { continue }
                // The edge is east of the point where the point is left of an edge that goes up, right of one down.
                if (cross > 0) == (second.y > first.y) { isInside.toggle() }
            }
        }
        return isInside
    }
}
