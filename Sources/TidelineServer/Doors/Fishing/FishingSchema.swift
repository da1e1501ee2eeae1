// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

package import TidelineModel
import TidelineOData

/// The domain of the fishing app: users, spots on a coast, catches and their pictures.
package enum FishingSchema {
    /// Latitude and longitude are what is written; the point is computed of them, with all their digits.
    ///
    /// That names are not empty is a rule of the service and no CHECK: of that the database would not say which it is.
    package static let tables = """
        CREATE TABLE Users (
            UserId INTEGER PRIMARY KEY NOT NULL,
            UserName VARCHAR(64) NOT NULL,
            PictureUrl VARCHAR(256)
        );
        CREATE TABLE FishingSpots (
            Id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
            Name VARCHAR(80) NOT NULL,
            Lat REAL NOT NULL CHECK (Lat >= -90 AND Lat <= 90),
            Lng REAL NOT NULL CHECK (Lng >= -180 AND Lng <= 180),
            Location TEXT GENERATED ALWAYS AS
                ('POINT(' || printf('%!.17g', Lng) || ' ' || printf('%!.17g', Lat) || ')') VIRTUAL,
            IsPublicSpot BOOLEAN NOT NULL DEFAULT 0,
            Comments VARCHAR(20000),
            OwnerId INT NOT NULL REFERENCES Users (UserId)
        );
        CREATE TABLE Catches (
            CatchId INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
            SpotId INT NOT NULL REFERENCES FishingSpots (Id) ON DELETE CASCADE,
            OwnerId INT NOT NULL REFERENCES Users (UserId),
            Fish VARCHAR(64) NOT NULL,
            WeightInGrams INT NOT NULL CHECK (WeightInGrams > 0),
            CaughtAt DATETIME NOT NULL,
            Comments VARCHAR(20000)
        );
        CREATE TABLE Pictures (
            PictureId INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
            CatchId INT NOT NULL REFERENCES Catches (CatchId) ON DELETE CASCADE,
            ContentType VARCHAR(64) NOT NULL CHECK (ContentType IN ('image/jpeg', 'image/png', 'image/webp')),
            Content TEXT
        );
        CREATE INDEX FishingSpotsByPlace ON FishingSpots (Lat, Lng);
        CREATE INDEX FishingSpotsByOwner ON FishingSpots (OwnerId);
        CREATE INDEX CatchesBySpot ON Catches (SpotId);
        CREATE INDEX CatchesByOwner ON Catches (OwnerId);
        CREATE INDEX PicturesByCatch ON Pictures (CatchId);

        """

    /// Who may do what, and the door.
    ///
    /// All see who the owners are. Spots are their owner's, or everybody's to see; what was caught there is seen by whoever
    /// sees the spot. Each writes the own alone.
    package static let policies = """
        limits: {bodyBytes: 8388608}
        compatibility:
          fishing: {spots: FishingSpots, catches: Catches, pictures: Pictures}
        policies:
          - {role: "*", sets: [Users], operations: [read]}
          - {role: "*", sets: [FishingSpots], operations: [read], where: "OwnerId eq @me or IsPublicSpot eq true"}
          - {role: "*", sets: [FishingSpots], operations: [insert, update, delete], where: "OwnerId eq @me"}
          - role: "*"
            sets: [Catches]
            operations: [read]
            where: "OwnerId eq @me or Spot/OwnerId eq @me or Spot/IsPublicSpot eq true"
          - {role: "*", sets: [Catches], operations: [insert, update, delete], where: "OwnerId eq @me"}
          - role: "*"
            sets: [Pictures]
            operations: [read]
            where: "Catch/OwnerId eq @me or Catch/Spot/OwnerId eq @me or Catch/Spot/IsPublicSpot eq true"
          - {role: "*", sets: [Pictures], operations: [insert, delete], where: "Catch/OwnerId eq @me"}

        """

    /// What is refused in words: name, condition, message, property, by set.
    private static let rules = [
        "FishingSpots": ("HasName", "length(Name) gt 0", "A spot has a name: Name is empty.", "Name"),
        "Catches": ("HasFish", "length(Fish) gt 0", "A catch says of which fish it is: Fish is empty.", "Fish"),
    ]

    private static func rules(of set: String) -> [EntityRule] {
        guard let (name, text, message, property) = rules[set], let condition = try? ExpressionParser.parse(text) else {
            return []
        }
        return [EntityRule(name: name, condition: condition, message: message, properties: [property])]
    }

    /// Says what the tables cannot: types, rules in words, what the point is computed of, where pictures lie.
    package static func complete(_ model: inout EntityModel) {
        let sets = model.sets.map { set in
            var set = set
            func change(_ name: String, _ body: (inout Property) -> Void) {
                guard let place = set.type.propertyIndex(wire: name) else { return }
                body(&set.type.properties[place])
            }
            for name in ["UserId", "Id", "OwnerId", "SpotId", "CatchId", "PictureId", "WeightInGrams"] {
                change(name) { $0.type = .int32 }
            }
            set.type.rules += rules(of: set.names.wire)
            change("Lat") { ($0.minimum, $0.maximum) = (.double(-90), .double(90)) }
            change("Lng") { ($0.minimum, $0.maximum) = (.double(-180), .double(180)) }
            change("Location") {
                $0.type = .geographyPoint
                $0.generation = .always
                $0.coordinates = Coordinates(latitude: "Lat", longitude: "Lng")
            }
            if set.names.wire == "Pictures" {
                let type = set.type.propertyIndex(wire: "ContentType")
                change("Content") {
                    $0.stream = MediaStream(contentTypeProperty: type, isFile: true)
                    $0.isNullable = true
                }
                set.type.mediaProperty = set.type.propertyIndex(wire: "Content")
            }
            return set
        }
        model = model.replacing(sets: sets)
    }
}
