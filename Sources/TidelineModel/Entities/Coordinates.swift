// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// The properties of an entity that hold the same position as its point does, as two numbers.
///
///     Location: Point(10.7522 59.9139)    Lat: 59.9139    Lng: 10.7522
///
/// Numbers have an index where a point has none: what is asked of a distance from the point is asked of them first.
public struct Coordinates: Hashable, Sendable {
    /// The name on the wire of the property with the latitude, in degrees from -90 to 90.
    public var latitude: String
    /// The name on the wire of the property with the longitude, in degrees from -180 to 180.
    public var longitude: String

    public init(latitude: String, longitude: String) {
        self.latitude = latitude
        self.longitude = longitude
    }
}
