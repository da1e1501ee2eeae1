// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Latitudes and longitudes that hold every position within a distance of another, and some more.
///
///      ┌─────────┐
///      │  ╭───╮  │      a circle on the globe is wider, in degrees, the nearer a pole is;
///      │ (  ·  ) │      around a pole it has all longitudes
///      └──╰───╯──┘
///
/// Source: the spherical triangle of the pole, the centre and the easternmost position, whose angle there is right:
/// sin(Δlongitude) = sin(distance) / cos(latitude).
package struct BoundingBox: Hashable, Sendable {
    /// From south to north, in degrees.
    package let latitudes: ClosedRange<Double>
    /// The longitudes in degrees: one range, or two where the box crosses the antimeridian; `nil` for all of them.
    package let longitudes: [ClosedRange<Double>]?

    /// - Parameters:
    ///   - center: in degrees.
    ///   - distance: in metres, as ``Geography/distance(_:_:)`` has it.
    /// - Returns: `nil` where the box leaves nothing out, or where the centre is no position of the globe.
    package init?(around center: Geography.Position, within distance: Double) {
        let (latitude, longitude) = (center.y, center.x)
        guard abs(latitude) <= 90, abs(longitude) <= 180, distance >= 0 else { return nil }
        // A millionth of a degree and of the distance more, so that no rounding leaves a position out.
        let slack = 1e-6
        let angle = distance / Geography.radius * (1 + slack) + slack * .pi / 180
        guard angle < .pi else { return nil }
        let height = angle * 180 / .pi
        let (south, north) = (latitude - height, latitude + height)
        latitudes = max(-90, south)...min(90, north)
        guard south > -90, north < 90 else {
            longitudes = nil
            return
        }
        let width = asin(min(1, sin(angle) / cos(latitude * .pi / 180))) * 180 / .pi + slack
        let (west, east) = (longitude - width, longitude + width)
        // Longitude -180 and 180 are one meridian, so a box that reaches it has both.
        if west <= -180 {
            longitudes = [-180...east, west + 360...180]
        } else if east >= 180 {
            longitudes = [-180...east - 360, west...180]
        } else {
            longitudes = [west...east]
        }
    }

    /// Whether a position is in the box.
    package func contains(_ position: Geography.Position) -> Bool {
        latitudes.contains(position.y) && longitudes?.contains { $0.contains(position.x) } ?? true
    }
}
