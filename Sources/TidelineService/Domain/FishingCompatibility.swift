// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// What a domain says to clients of the fishing app, which ask `locations.php` and are answered a `fishingResponse`.
///
///     compatibility:
///       fishing: {spots: FishingSpots, catches: Catches, pictures: Pictures}
public struct FishingCompatibility: Hashable, Sendable {
    /// The set of the spots: `Id`, `Name`, `Lat`, `Lng`, `IsPublicSpot`, `Comments`, `OwnerId` and the way `Owner` to a
    /// user with `UserId`, `UserName` and `PictureUrl`.
    public var spots: String
    /// The set of the catches: `Fish`, `WeightInGrams`, `CaughtAt`, `Comments`, `SpotId`, `OwnerId`; `nil` for none.
    public var catches: String?
    /// The media entities that are pictures of catches, and the way from a catch to them; `nil` for none.
    public var pictures: String?
    /// The most bytes that a picture has.
    public var pictureBytes = 8_388_608

    public init(spots: String, catches: String? = nil, pictures: String? = nil) {
        self.spots = spots
        self.catches = catches
        self.pictures = pictures
    }
}
