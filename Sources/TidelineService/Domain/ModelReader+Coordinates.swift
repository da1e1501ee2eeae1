// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

extension ModelReader {
    /// The coordinates of points, once all properties are known.
    ///
    /// A row outside of the numbers' ranges would be left out by what they answer, so they have to state them.
    func readCoordinates(_ list: YAMLField, of type: inout EntityType, _ set: String) throws(DomainError) {
        for (place, item) in try list.items().enumerated() {
            guard let field = try item.fields(Self.propertyKeys)["coordinates"] else { continue }
            let point = type.properties[place]
            guard point.type == .geographyPoint, point.srid ?? 4326 == 4326 else {
                throw field.error(.value, "\(field.path) is of a property that is no point of WGS 84 (GeographyPoint).")
            }
            let places = try places(field, in: type, of: set)
            guard places.count == 2 else {
                throw field.error(.value, "\(field.path) names two properties: the latitude, then the longitude.")
            }
            for (place, limit) in zip(places, [90.0, 180.0]) {
                let property = type.properties[place]
                guard property.type == .double, case .double(let least)? = property.minimum, least >= -limit,
                    case .double(let greatest)? = property.maximum, greatest <= limit
                else {
                    throw field.error(
                        .value,
                        "\(set).\(property.names.wire) is not of the type Double with a min of -\(Int(limit)) and a max of \(Int(limit))."
                    )
                }
            }
            type.properties[place].coordinates = Coordinates(
                latitude: type.properties[places[0]].names.wire,
                longitude: type.properties[places[1]].names.wire
            )
        }
    }
}
