// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

extension Domain {
    /// Reads `fishing` of `compatibility`.
    func readFishing(_ field: YAMLField) throws(DomainError) -> FishingCompatibility {
        let fields = try field.fields(["spots", "catches", "pictures", "pictureBytes"])
        func set(_ key: String, _ properties: [String], _ navigations: [String] = []) throws(DomainError) -> String? {
            guard let field = fields[key], !field.isNull else { return nil }
            let name = try field.string()
            guard let type = model[set: name]?.type else {
                throw field.error(.value, "\(field.path) is \"\(name)\", which is no set of the domain.")
            }
            let missing =
                properties.filter { type.propertyIndex(wire: $0) == nil }
                + navigations.filter { type.navigationIndex(wire: $0) == nil }
            guard missing.isEmpty else {
                throw field.error(
                    .value,
                    "\(field.path) is \"\(name)\", which lacks \(missing.joined(separator: ", "))."
                )
            }
            return name
        }
        let spots = try set(
            "spots",
            ["Id", "Name", "Lat", "Lng", "IsPublicSpot", "Comments", "OwnerId"],
            ["Owner"]
        )
        guard let spots else { throw field.error(.key, "\(field.path) lacks \"spots\".") }
        var settings = FishingCompatibility(spots: spots)
        settings.pictures = try set("pictures", [])
        settings.catches = try set(
            "catches",
            ["CatchId", "Fish", "WeightInGrams", "CaughtAt", "Comments", "SpotId", "OwnerId"],
            settings.pictures.map { [$0] } ?? []
        )
        if let field = fields["pictureBytes"] {
            settings.pictureBytes = try field.integer(1...limits.fileBytes)
        }
        return settings
    }
}

extension DomainText {
    /// `fishing` of `compatibility`, with what differs from the defaults.
    static func fishingLine(_ settings: FishingCompatibility?) -> String {
        guard let settings else { return "" }
        var pairs = ["spots: \(quote(settings.spots))"]
        if let name = settings.catches { pairs.append("catches: \(quote(name))") }
        if let name = settings.pictures { pairs.append("pictures: \(quote(name))") }
        if settings.pictureBytes != FishingCompatibility(spots: "").pictureBytes {
            pairs.append("pictureBytes: \(settings.pictureBytes)")
        }
        return "  fishing: {\(pairs.joined(separator: ", "))}\n"
    }
}
