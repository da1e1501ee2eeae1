// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// A spatial value: a shape and the reference system of its coordinates.
///
/// Its text is extended WKT, the one of OData URLs without prefix and quotes: `SRID=4326;Point(8.5 47.3)`.
/// Source: OData ABNF construction rules 4.01, section 7, `fullPointLiteral` and its kin.
public struct Geography: Hashable, Sendable {
    /// One position: longitude and latitude, or x and y, perhaps with an altitude and a measure.
    public struct Position: Hashable, Sendable {
        public var x: Double
        public var y: Double
        public var altitude: Double?
        public var measure: Double?

        public init(_ x: Double, _ y: Double, altitude: Double? = nil, measure: Double? = nil) {
            self.x = x
            self.y = y
            self.altitude = altitude
            self.measure = measure
        }
    }

    /// What lies where.
    public indirect enum Shape: Hashable, Sendable {
        case point(Position)
        case lineString([Position])
        /// Rings, the outer one first; each ends where it begins.
        case polygon([[Position]])
        case multiPoint([Position])
        case multiLineString([[Position]])
        case multiPolygon([[[Position]]])
        case collection([Shape])
    }

    /// The EPSG number of the reference system: 4326 is WGS 84, the default of geography; 0 that of geometry.
    public var srid: Int
    public var shape: Shape
    /// Whether the surface is flat: `Edm.Geometry…` and not `Edm.Geography…`.
    public var isFlat: Bool

    public init(_ shape: Shape, srid: Int = 4326, isFlat: Bool = false) {
        self.srid = srid
        self.shape = shape
        self.isFlat = isFlat
    }
}
